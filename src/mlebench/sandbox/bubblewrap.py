"""The sandbox `bubblewrap`: namespaces, no root, no daemon; the default on Linux."""

from __future__ import annotations

import json
import os
import re
import select
import socket
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from signal import SIGKILL
from typing import Any

from mlebench.errors import SandboxError
from mlebench.sandbox import bridge
from mlebench.sandbox.base import (
    Availability,
    Enforced,
    Folders,
    Isolation,
    Job,
    Outcome,
    ResourceLimits,
)
from mlebench.sandbox.bubblewrap_arguments import Arguments, bwrap_arguments
from mlebench.sandbox.bubblewrap_program import (
    bwrap_version,
    find_bwrap,
    has_filter,
    start_error,
    version_notes,
)
from mlebench.sandbox.cgroups import Cgroup, make_cgroup, remove_folders
from mlebench.sandbox.mounts import WRITABLE, Mount, plan_mounts
from mlebench.sandbox.output import CappedLog
from mlebench.sandbox.processes import Identity, held, identify, is_over, send
from mlebench.sandbox.supervise import Ending, Supervisor, drain
from mlebench.sandbox.watch import Watcher

LAUNCHER = Path(__file__).with_name("launcher.py")
START_SECONDS = 30.0
FIRST_UID, UIDS = 61184, 4336
"""The range that systemd hands to passing services: nobody's on any machine we know."""

SPARE_PROCESSES = 16
"""Forks that the kernel allows beyond the limit, so that the watcher can see it passed."""


class BubblewrapSandbox:
    """Runs a job in namespaces of its own, without privileges, network or a view of the host."""

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
                outcome = self.run(_trial_job(Path(place)))
        except SandboxError as error:
            return Availability(False, f"{error}" + (f" ({error.hint})" if error.hint else ""))
        text = ".".join(map(str, version))
        if outcome.exit_code != 0:
            return Availability(False, f"a trial ended with {outcome.exit_code}", text)
        notes = version_notes(version)
        return Availability(True, "; ".join(notes) or "works", text)

    def run(
        self,
        job: Job,
        *,
        on_start: Callable[[Mapping[str, object]], None] = lambda facts: None,
        is_cancelled: Callable[[], bool] = lambda: False,
    ) -> Outcome:
        """See `Sandbox.run`."""
        program = find_bwrap(self._program)
        mounts = plan_mounts(job)
        uid = _uid_for(job.run_id) if os.geteuid() == 0 else None
        if uid is not None:
            _hand_over(job.folders, uid)
        cgroup = make_cgroup(f"mlebench-{_safe(job.run_id)}", job.limits)
        if cgroup is not None:
            cgroup.end_strays()
        try:
            return _Start(program, job, mounts, uid, cgroup).run(on_start, is_cancelled)
        finally:
            if cgroup is not None:
                cgroup.remove()

    def end_leftovers(self, facts: Mapping[str, object]) -> bool:
        """Kill the sandbox's first process, if it is still the same one; the rest dies with it."""
        over = True
        for key in ("init", "monitor"):
            known = facts.get(key)
            if not isinstance(known, Mapping):
                continue
            identity = Identity(int(known["pid"]), int(known["start"]), str(known["boot"]))
            with held(identity) as descriptor:
                if descriptor is not None:
                    send(descriptor, SIGKILL)
                    over = is_over(descriptor, 10) and over
        folders = facts.get("cgroups", ())
        if isinstance(folders, list | tuple):
            remove_folders(tuple(Path(str(folder)) for folder in folders))
        return over


@dataclass
class _Start:
    """One start of bwrap and all that belongs to it."""

    program: str
    job: Job
    mounts: list[Mount]
    uid: int | None
    cgroup: Cgroup | None

    def run(
        self,
        on_start: Callable[[Mapping[str, object]], None],
        is_cancelled: Callable[[], bool],
    ) -> Outcome:
        with ExitStack() as stack:
            log = CappedLog(self.job.log)
            stack.callback(log.close)
            output, output_end = _pipe(stack)
            status, status_end = _pipe(stack)
            control, control_end = socket.socketpair()
            stack.enter_context(control)
            process = self._launch(stack, control_end, output_end, status_end)
            stack.callback(_reap, process)
            control_end.close()
            os.close(output_end)
            os.close(status_end)
            init = self._wait_until_ready(process, control, status, output, log)
            pidfd = os.pidfd_open(init.pid)
            stack.callback(os.close, pidfd)
            stack.callback(send, pidfd, SIGKILL)
            on_start(self._leftover_facts(init, process.pid))
            watcher = self._watcher(init.pid)
            supervisor = Supervisor(
                pidfd,
                output,
                log,
                watcher,
                is_cancelled,
                kill=lambda: send(pidfd, SIGKILL),
                spare=_children_of(init.pid),
                notes=self.job.resources,
            )
            control.sendall(bridge.GO)
            ending = supervisor.wait()
            send(pidfd, SIGKILL)
            _reap_and_wait(process, pidfd)
            drain(output, log)
            return self._outcome(ending, process.returncode, watcher, log)

    def _launch(
        self, stack: ExitStack, control: socket.socket, output: int, status: int
    ) -> subprocess.Popen[bytes]:
        arguments = bwrap_arguments(self.job, self.mounts, status)
        for descriptor in arguments.descriptors:
            stack.callback(os.close, descriptor)
        keep = [status, *arguments.descriptors]
        order = _memfd(stack, json.dumps(self._order(arguments, keep)).encode())
        command = [sys.executable, "-I", "-S", "-P", str(LAUNCHER), str(order)]
        return subprocess.Popen(
            command,
            stdin=control.fileno(),
            stdout=output,
            stderr=output,
            cwd="/",
            env={"PATH": "/usr/local/bin:/usr/bin:/bin"},
            close_fds=True,
            pass_fds=(*keep, order),
        )

    def _order(self, arguments: Arguments, keep: list[int]) -> dict[str, Any]:
        processes = self.job.limits.processes
        bound = []
        if processes is not None and self._processes_are_counted():
            bound = ["--processes", str(processes + SPARE_PROCESSES)]
        return {
            "parent": os.getpid(),
            "bwrap": self.program,
            "uid": self.uid,
            "cgroups": [str(folder) for folder in self.cgroup.folders] if self.cgroup else [],
            "rlimits": {"RLIMIT_CORE": 0},
            "keep": keep,
            "sources": [
                {"path": str(mount.source), "inode": mount.inode, "folder": mount.is_folder}
                for mount in self.mounts
            ],
            "args": arguments.items,
            "command": [
                "/opt/python/bin/python3",
                "-I",
                "-S",
                "/run/bridge.py",
                "--control",
                *bound,
                "--",
                *self.job.command,
            ],
        }

    def _wait_until_ready(
        self,
        process: subprocess.Popen[bytes],
        control: socket.socket,
        status: int,
        output: int,
        log: CappedLog,
    ) -> Identity:
        """Until the bridge says that it stands in a finished sandbox; else a SandboxError."""
        waiting = select.poll()
        waiting.register(control, select.POLLIN)
        ready = bool(waiting.poll(START_SECONDS * 1000)) and control.recv(1) == bridge.READY
        pid = _child_pid(status) if ready else None
        init = identify(pid) if pid is not None else None
        if init is None:
            process.kill()
            process.wait()
            raise start_error(_text_of(output))
        return init

    def _leftover_facts(self, init: Identity, monitor: int) -> dict[str, object]:
        known = identify(monitor)
        return {
            "sandbox": "bubblewrap",
            "init": vars(init),
            "monitor": vars(known) if known else None,
            "cgroups": [str(folder) for folder in self.cgroup.folders] if self.cgroup else [],
        }

    def _watcher(self, init: int) -> Watcher:
        folders = [mount.source for mount in self.mounts if mount.writable]
        return Watcher(
            self.job.limits,
            init,
            folders,
            self.cgroup,
            processes_enforced="kernel" if self._processes_are_counted() else "polled",
            memory_filesystems=(f"/proc/{init}/root/tmp", f"/proc/{init}/root/dev/shm"),
        )

    def _processes_are_counted(self) -> bool:
        """Whether the kernel counts those of this run alone: own uid, or own count (Linux 5.14)."""
        release = tuple(map(int, re.findall(r"\d+", os.uname().release)[:2]))
        return self.uid is not None or release >= (5, 14)

    def _outcome(
        self, ending: Ending, exit_code: int | None, watcher: Watcher, log: CappedLog
    ) -> Outcome:
        cpus: Enforced = "kernel" if self.cgroup and self.cgroup.limits_cpus else "not"
        facts = {
            "sandbox": "bubblewrap",
            "isolation": "namespaces, shared kernel",
            "network": "none",
            "version": ".".join(map(str, bwrap_version(self.program))),
            "seccomp": has_filter(),
            "uid": self.uid if self.uid is not None else os.geteuid(),
            "cgroup": self.cgroup.version if self.cgroup else None,
            "oom_kills": self.cgroup.oom_kills() if self.cgroup else None,
            "output_bytes": log.bytes_seen,
            "suspended_seconds": ending.suspended_seconds,
        }
        code = exit_code if ending.ended_by == "exit" else None
        reason = ending.reason if code is None else f"it ended by itself with exit code {code}"
        return Outcome(
            ending.ended_by,
            code,
            reason,
            round(ending.seconds, 3),
            watcher.usage(round(ending.seconds, 3), cpus=cpus, gpus="kernel"),
            facts,
        )


def _uid_for(run_id: str) -> int:
    import zlib

    return FIRST_UID + zlib.crc32(run_id.encode()) % UIDS


def _hand_over(folders: Folders, uid: int) -> None:
    """Give the agent's folders to the uid it will have; nothing below them is touched."""
    for name in WRITABLE:
        folder = getattr(folders, name)
        os.chown(folder, uid, uid, follow_symlinks=False)
    os.chown(folders.sockets, uid, uid, follow_symlinks=False)
    for path in folders.sockets.iterdir():
        if stat.S_ISSOCK(path.lstat().st_mode):
            path.chmod(0o666)


def _safe(run_id: str) -> str:
    return re.sub(r"[^A-Za-z0-9_-]", "-", run_id)[-100:]


def _pipe(stack: ExitStack) -> tuple[int, int]:
    """A pipe whose reading end is closed at the end; the other one is handed on and closed."""
    reading, writing = os.pipe()
    stack.callback(os.close, reading)
    return reading, writing


def _memfd(stack: ExitStack, content: bytes) -> int:
    descriptor = os.memfd_create("order")
    stack.callback(os.close, descriptor)
    os.write(descriptor, content)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor


def _child_pid(status: int) -> int | None:
    waiting = select.poll()
    waiting.register(status, select.POLLIN)
    if not waiting.poll(1000):
        return None
    found = re.search(rb'"child-pid": *(\d+)', os.read(status, 4096))
    return int(found[1]) if found else None


def _children_of(pid: int) -> tuple[int, ...]:
    from mlebench.sandbox.processes import descendants

    return tuple(descendants(pid))


def _reap(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        process.kill()
    process.wait()


def _reap_and_wait(process: subprocess.Popen[bytes], pidfd: int) -> None:
    """bwrap tells the exit code once the sandbox is empty; a moment is enough for that."""
    is_over(pidfd, 10)
    with suppress(subprocess.TimeoutExpired):
        process.wait(timeout=2)
    _reap(process)


def _text_of(output: int) -> str:
    os.set_blocking(output, False)
    with suppress(OSError):
        return os.read(output, 65536).decode("utf-8", "replace").strip()
    return ""


def _trial_job(place: Path) -> Job:
    names = [*WRITABLE, "public", "package", "sockets"]
    for name in names:
        (place / name).mkdir()
    folders = Folders(**{name: place / name for name in names})
    return Job(
        run_id=f"trial-{time.monotonic_ns()}",
        command=["true"],
        folders=folders,
        limits=ResourceLimits(wall_seconds=10),
        instructions="",
        log=place / "log",
    )
