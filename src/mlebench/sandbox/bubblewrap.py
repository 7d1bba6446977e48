"""The sandbox `bubblewrap`: namespaces, no root, no daemon; the default on Linux."""

from __future__ import annotations

import os
import re
import stat
import tempfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from signal import SIGKILL

from mlebench.errors import SandboxError
from mlebench.sandbox.base import (
    Availability,
    Enforced,
    IsCancelled,
    Isolation,
    Job,
    JobFolders,
    OnStart,
    Outcome,
    ResourceLimits,
    ignore_start,
    never,
    plan_enforcement,
)
from mlebench.sandbox.cgroups import make_cgroup, remove_known, try_controllers
from mlebench.sandbox.engines.bubblewrap_program import bwrap_version, find_bwrap, version_notes
from mlebench.sandbox.engines.bubblewrap_run import BubblewrapRun, counts_processes
from mlebench.sandbox.mounts import WRITABLE, plan_mounts, scratch_job
from mlebench.sandbox.process_tree import has_ended, open_pidfd, read_identity, send_signal
from mlebench.sandbox.scopes import find_scope

FIRST_UID, UIDS = 61184, 4336
"""The range that systemd reserves for dynamic users of services."""


class BubblewrapSandbox:
    """Runs a job in its own namespaces, without privileges, network or access to the host."""

    name = "bubblewrap"
    isolation: Isolation = "namespaces"

    def __init__(self, program: str | None = None) -> None:
        self._program = program

    def availability(self) -> Availability:
        """Run `true` in a sandbox with all its parts."""
        try:
            program = find_bwrap(self._program)
            version = bwrap_version(program)
            with tempfile.TemporaryDirectory(prefix="mlebench-") as place:
                outcome = self.run(scratch_job(Path(place), ["true"], ResourceLimits(10)))
        except SandboxError as error:
            return Availability(False, f"{error}" + (f" ({error.hint})" if error.hint else ""))
        text = ".".join(map(str, version))
        if outcome.exit_code != 0:
            return Availability(False, f"a trial ended with {outcome.exit_code}", text)
        notes = version_notes(version)
        return Availability(True, "; ".join(notes) or "works", text)

    def enforcement(self, limits: ResourceLimits) -> dict[str, Enforced]:
        """See `Sandbox.enforcement`."""
        controllers = try_controllers(limits)
        if not controllers and (scope := find_scope("mlebench-trial", limits)):
            controllers = scope.controllers
        counted: Enforced = "kernel" if counts_processes(os.geteuid() == 0) else "polled"
        return plan_enforcement(limits, controllers, processes=counted, gpus="kernel")

    def run(
        self, job: Job, *, on_start: OnStart = ignore_start, is_cancelled: IsCancelled = never
    ) -> Outcome:
        """See `Sandbox.run`."""
        program = find_bwrap(self._program)
        mounts = plan_mounts(job)
        uid = uid_for(job.run_id) if os.geteuid() == 0 else None
        if uid is not None:
            _hand_over(job.folders, uid)
        name = "mlebench-" + re.sub(r"[^A-Za-z0-9_-]", "-", job.run_id)[-100:]
        cgroup = make_cgroup(name, job.limits)
        scope = find_scope(name, job.limits) if cgroup is None else None
        if cgroup is not None:
            cgroup.kill_strays()
        try:
            run = BubblewrapRun(program, job, mounts, uid, cgroup, scope)
            return run.run(on_start, is_cancelled)
        finally:
            if cgroup is not None:
                cgroup.remove()

    def end_leftovers(self, facts: Mapping[str, object]) -> bool:
        """Kill the sandbox's first process, if it is still the same one; the rest dies with it."""
        is_over = True
        for name in ("init", "monitor"):
            identity = read_identity(facts, name)
            if identity is None:
                continue
            with open_pidfd(identity) as pidfd:
                if pidfd is not None:
                    send_signal(pidfd, SIGKILL)
                    is_over = has_ended(pidfd, 10) and is_over
        remove_known(facts)
        return is_over


def uid_for(run_id: str) -> int:
    return FIRST_UID + zlib.crc32(run_id.encode()) % UIDS


def _hand_over(folders: JobFolders, uid: int) -> None:
    """Make the agent's uid the owner of its folders, but of nothing below them."""
    for name in WRITABLE:
        os.chown(getattr(folders, name), uid, uid, follow_symlinks=False)
    os.chown(folders.sockets, uid, uid, follow_symlinks=False)
    for path in folders.sockets.iterdir():
        if stat.S_ISSOCK(path.lstat().st_mode):
            path.chmod(0o666)
