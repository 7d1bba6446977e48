"""The sandbox `apptainer`: for clusters without user namespaces and without an engine.

By default Apptainer exposes the home folder, the current folder, /tmp, and the host's environment,
processes and network; all of this is switched off here. The network can be removed only if the
site allows it; otherwise the report says `network: host`.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

from mlebench.errors import SandboxError
from mlebench.sandbox.base import (
    Availability,
    Enforced,
    IsCancelled,
    Isolation,
    Job,
    OnStart,
    Outcome,
    ResourceLimits,
    ignore_start,
    never,
    plan_enforcement,
)
from mlebench.sandbox.channels import Channels
from mlebench.sandbox.environment import IMAGE_PATH, sandbox_environment, write_files
from mlebench.sandbox.mounts import Mount, image_mounts
from mlebench.sandbox.process_tree import identify, kill_tree, read_identity
from mlebench.sandbox.watcher import Watcher
from mlebench.system.commands import run_command

IMAGE_VARIABLE = "MLEBENCH_APPTAINER_IMAGE"
CLOSED = """--containall --no-home --cleanenv --no-mount home,tmp,cwd,hostfs --no-privs
--writable-tmpfs""".split()


class ApptainerSandbox:
    """Runs a job with the `apptainer` program."""

    name = "apptainer"
    isolation: Isolation = "container"

    def __init__(self, program: str | None = None) -> None:
        self._program = program

    def availability(self) -> Availability:
        """Whether the program is installed and an image is configured."""
        try:
            program = self._find_program()
        except SandboxError as error:
            return Availability(False, str(error))
        version = _version(program)
        if not os.environ.get(IMAGE_VARIABLE):
            reason = f"no image: set {IMAGE_VARIABLE}, or name one: --image"
            return Availability(False, reason, version)
        return Availability(True, "works; network: as the site allows", version)

    def enforcement(self, limits: ResourceLimits) -> dict[str, Enforced]:
        """See `Sandbox.enforcement`."""
        self._find_program()
        return plan_enforcement(limits)

    def run(
        self, job: Job, *, on_start: OnStart = ignore_start, is_cancelled: IsCancelled = never
    ) -> Outcome:
        """See `Sandbox.run`."""
        program = self._find_program()
        image = job.image or os.environ.get(IMAGE_VARIABLE)
        if not image:
            raise SandboxError(f"apptainer needs an image: --image, or {IMAGE_VARIABLE}")
        mounts = image_mounts(job)
        has_network = not _can_close_network(program)
        with Channels(job) as channels:
            place = Path(channels.enter_context(tempfile.TemporaryDirectory(prefix="mlebench-")))
            files = write_files(job, place, {})
            process = subprocess.Popen(
                [program, *command_line(job, image, mounts, files, has_network=has_network)],
                stdin=subprocess.DEVNULL,
                stdout=channels.output_end,
                stderr=channels.output_end,
                cwd="/",
                env=launch_environment(job),
                close_fds=True,
                start_new_session=True,
            )
            channels.close_ends()
            channels.callback(process.wait)
            identity = identify(process.pid)
            if identity is None:
                raise SandboxError("apptainer ended before it started")
            channels.callback(kill_tree, identity)
            on_start({"sandbox": "apptainer", "init": vars(identity)})
            folders = [mount.source for mount in mounts if mount.writable]
            watcher = Watcher(job.limits, process.pid, folders, job.log.parent)
            ending = channels.supervise(
                watcher, is_cancelled, kill=lambda: kill_tree(identity), spare=(process.pid,)
            )
            kill_tree(identity)
            exit_code = process.wait()
            channels.drain()
            facts = {
                "sandbox": "apptainer",
                "isolation": "container, shared kernel",
                "network": "host" if has_network else "none",
                "version": _version(program),
                "image": image,
                "uid": os.geteuid(),
            }
            return ending.outcome(exit_code, watcher.usage(ending.seconds), facts)

    def end_leftovers(self, facts: Mapping[str, object]) -> bool:
        """Kill the first process and all below it."""
        identity = read_identity(facts, "init")
        return kill_tree(identity) if identity else True

    def _find_program(self) -> str:
        program = self._program or shutil.which("apptainer") or shutil.which("singularity")
        if program is None:
            raise SandboxError("apptainer is not installed")
        return program


def command_line(
    job: Job, image: str, mounts: list[Mount], files: Mapping[str, Path], *, has_network: bool
) -> list[str]:
    """The arguments: close everything that is open by default, then mount exactly our folders."""
    words = ["exec", *CLOSED]
    if not has_network:
        words += ["--net", "--network", "none"]
    for mount in mounts:
        mode = "rw" if mount.writable else "ro"
        words += ["--bind", f"{mount.source}:{mount.target}:{mode}"]
    for target, file in files.items():
        words += ["--bind", f"{file}:{target}:ro"]
    if job.limits.gpus:
        words.append("--nv")
    words += ["--pwd", "/home/agent", image]
    return [*words, "python3", "-I", "-S", "/run/bridge.py", "--", *job.command]


def launch_environment(job: Job) -> dict[str, str]:
    """With --cleanenv, Apptainer passes on only variables that start with its own prefix."""
    inside = sandbox_environment(job) | {"PATH": IMAGE_PATH}
    if job.limits.gpus:
        inside["CUDA_VISIBLE_DEVICES"] = ",".join(map(str, job.limits.gpus))
    own = {f"APPTAINERENV_{name}": value for name, value in inside.items()}
    return {"PATH": "/usr/local/bin:/usr/bin:/bin", **own}


def _can_close_network(program: str) -> bool:
    """`--net` needs root, or a site that allows `--network none` to users."""
    done = run_command(program, "exec", "--net", "--network", "none", "/dev/null", "true")
    return not re.search(r"not allowed|permission|requires root|privileged", done.stderr, re.I)


def _version(program: str) -> str | None:
    found = re.search(r"\d+(\.\d+)+", run_command(program, "--version").stdout)
    return found[0] if found else None
