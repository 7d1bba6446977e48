"""The sandbox `process`: a plain child process WITHOUT ISOLATION, for trials.

The agent can read answers, use the network and change files of the user who started it. Sandbox
paths in its command and variables are replaced by host paths, and MLEBENCH_ROOT names a folder
whose `home` looks like `/home` in the other sandboxes.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from mlebench.errors import SandboxError
from mlebench.sandbox.base import (
    GATEWAY_PORT,
    GATEWAY_SOCKET,
    VALIDATION_PORT,
    VALIDATION_SOCKET,
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
from mlebench.sandbox.cgroups import folder_names, make_cgroup, remove_known, try_controllers
from mlebench.sandbox.channels import Channels
from mlebench.sandbox.environment import PATH, VALIDATE_SCRIPT, sandbox_environment
from mlebench.sandbox.mounts import WRITABLE
from mlebench.sandbox.process_tree import (
    kill_child,
    kill_marked,
    kill_tree,
    read_identity,
)
from mlebench.sandbox.procfs import descendants
from mlebench.sandbox.programs import bridge, mcp_server
from mlebench.sandbox.watcher import Watcher

WARNING = "NO ISOLATION: THE AGENT COULD READ ANSWERS AND USE THE NETWORK"
MARK = "MLEBENCH_SANDBOX"
ROOT_VARIABLE = "MLEBENCH_ROOT"
"""Names the folder that contains the agent's `home`; agents that read it work here, too."""

PORT_VARIABLE = "MLEBENCH_VALIDATION_PORT"
DEFAULT_SHM_BYTES = 1 << 30
SCRIPT = "validate_submission.sh"
FILES = ("instructions.txt", SCRIPT, "mcp_server.py")


class ProcessSandbox:
    """Runs a job as a child of this process, with limits but without isolation."""

    name = "process"
    isolation: Isolation = "none"

    def availability(self) -> Availability:
        """Always available; the reason warns that nothing is isolated."""
        return Availability(True, WARNING.lower())

    def enforcement(self, limits: ResourceLimits) -> dict[str, Enforced]:
        """See `Sandbox.enforcement`."""
        return plan_enforcement(limits, try_controllers(limits))

    def run(
        self, job: Job, *, on_start: OnStart = ignore_start, is_cancelled: IsCancelled = never
    ) -> Outcome:
        """See `Sandbox.run`."""
        with Channels(job) as channels:
            world = Path(channels.enter_context(tempfile.TemporaryDirectory(prefix="mlebench-")))
            channels.log.write(f"{WARNING}\n".encode())
            mark = secrets.token_hex(16)
            channels.callback(kill_marked, MARK, mark)
            cgroup = make_cgroup(f"mlebench-{mark}", job.limits)
            if cgroup is not None:
                channels.callback(cgroup.remove)
                channels.callback(cgroup.kill_strays)
            groups = folder_names(cgroup)
            process = _launch(job, world, mark, channels, groups)
            validator = (world / SCRIPT).read_bytes()
            channels.callback(kill_child, process)
            channels.close_ends()
            identity, segments = channels.wait_until_ready(
                process, lambda: process.pid, _start_error
            )
            own = (process.pid, *descendants(process.pid))
            on_start(
                {"sandbox": "process", "init": vars(identity), "mark": mark, "cgroups": groups}
            )
            watcher = Watcher(
                job.limits,
                process.pid,
                [getattr(job.folders, name) for name in WRITABLE],
                job.log.parent,
                cgroup,
                # Without a namespace, all processes of the machine share /dev/shm.
                memory_filesystems=[f"/proc/{own[1]}/root/dev/shm"] if own[1:] else [],
                segments=segments if own[1:] else -1,
            )
            ending = channels.supervise(
                watcher, is_cancelled, kill=lambda: kill_tree(identity), spare=own
            )
            process.wait()
            kill_marked(MARK, mark)
            channels.drain()
            facts = {
                "validator": "intact" if _is_unchanged(world, validator) else "altered",
                "sandbox": "process",
                "isolation": WARNING,
                "network": "host",
                "seccomp": False,
                "uid": os.geteuid(),
                "cgroup": cgroup.version if cgroup else None,
                "output_bytes": channels.log.bytes_seen,
                "suspended_seconds": ending.suspended_seconds,
            }
            return ending.outcome(process.returncode, watcher.usage(ending.seconds), facts)

    def end_leftovers(self, facts: Mapping[str, object]) -> bool:
        """Kill the first process and all below it, and every process with the run's mark."""
        identity = read_identity(facts, "init")
        is_over = kill_tree(identity) if identity else True
        if mark := facts.get("mark"):
            kill_marked(MARK, str(mark))
        remove_known(facts)
        return is_over


def _launch(
    job: Job, world: Path, mark: str, channels: Channels, groups: list[str]
) -> subprocess.Popen[bytes]:
    listeners = _listener(VALIDATION_PORT), _listener(GATEWAY_PORT)
    validation, gateway = (int(listener.getsockname()[1]) for listener in listeners)
    places = _places(job, world, validation, gateway)
    (world / "instructions.txt").write_text(_replace_paths(job.instructions, places))
    (world / "mcp_server.py").write_bytes(Path(mcp_server.__file__).read_bytes())
    _make_home(job, world)
    script = world / SCRIPT
    script.write_text(_replace_paths(VALIDATE_SCRIPT, places))
    script.chmod(0o755)
    environment = {
        name: _replace_paths(value, places) for name, value in sandbox_environment(job).items()
    }
    # The host's programs stay on the path: nothing is hidden in this sandbox.
    path = f"{places['/opt/python']}/bin:{os.environ.get('PATH', '/usr/bin:/bin')}"
    environment["PATH"] = environment["PATH"].replace(_replace_paths(PATH, places), path)
    command = [
        *(sys.executable, "-I", "-S", str(Path(bridge.__file__)), "--control", "--reap"),
        *_namespace_options(job),
        *(word for folder in groups for word in ("--cgroup", folder)),
        *("--sockets", str(job.folders.sockets)),
        *("--forward", f"@{listeners[0].fileno()}:{VALIDATION_SOCKET}"),
        *("--forward", f"@{listeners[1].fileno()}:{GATEWAY_SOCKET}"),
        "--",
        *(_replace_paths(part, places) for part in job.command),
    ]
    process = subprocess.Popen(
        command,
        stdin=channels.control_end.fileno(),
        stdout=channels.output_end,
        stderr=channels.output_end,
        cwd=job.folders.agent,
        env=environment | {ROOT_VARIABLE: str(world), PORT_VARIABLE: str(validation), MARK: mark},
        close_fds=True,
        pass_fds=[listener.fileno() for listener in listeners],
        start_new_session=True,
    )
    for listener in listeners:
        listener.close()
    return process


def _namespace_options(job: Job) -> list[str]:
    """Use a PID namespace, which no process can leave, and limit shared memory."""
    return ["--namespaces", str(job.limits.shm_bytes or DEFAULT_SHM_BYTES)]


def _make_home(job: Job, world: Path) -> None:
    """A folder that looks like `/home` in the other sandboxes."""
    home = world / "home"
    home.mkdir()
    (home / "data").symlink_to(job.folders.public.resolve())
    for name in WRITABLE:
        (home / name).symlink_to(getattr(job.folders, name).resolve())
    for name in FILES:
        (home / name).symlink_to(world / name)


def _is_unchanged(world: Path, content: bytes) -> bool:
    """Whether the validation script is still the one that the agent was given."""
    script, link = world / SCRIPT, world / "home" / SCRIPT
    try:
        is_ours = script.lstat().st_size == len(content) and link.readlink() == script
        return is_ours and script.is_file() and script.read_bytes() == content
    except OSError:
        return False


def _places(job: Job, world: Path, validation: int, gateway: int) -> dict[str, str]:
    """Host paths and ports by the names that they have inside other sandboxes."""
    folders = job.folders
    return {
        "/home/data": str(folders.public),
        **{f"/home/{name}": str(getattr(folders, name)) for name in WRITABLE},
        **{f"/home/{name}": str(world / name) for name in FILES},
        "/opt/agent": str(folders.package),
        "/opt/program": str(job.program or world / "program"),
        "/opt/python": sys.base_prefix,
        "/opt/packages": str(job.packages or world / "packages"),
        "/run/sockets": str(folders.sockets),
        f"localhost:{VALIDATION_PORT}": f"localhost:{validation}",
        f"localhost:{GATEWAY_PORT}": f"localhost:{gateway}",
    }


def _replace_paths(text: str, places: Mapping[str, str]) -> str:
    """Replace all paths in one pass: a host path may look like a path of the sandbox.

    A host may follow the slashes of a URL, a path may not follow a slash.
    """
    pattern = "|".join(re.escape(place) for place in sorted(places, key=len, reverse=True))
    found = rf"(?:(?<![\w/.-])|(?<=//)(?=localhost:))(?:{pattern})(?![\w.-])"
    return re.sub(found, lambda m: places[m[0]], text)


def _listener(wanted: int) -> socket.socket:
    """A socket that listens on the usual port, or on another one if that is in use."""
    for port in (wanted, 0):
        with contextlib.suppress(OSError):
            return socket.create_server(("127.0.0.1", port), backlog=bridge.MOST_CONNECTIONS)
    raise SandboxError("no port is free on localhost")


def _start_error(said: str) -> SandboxError:
    return SandboxError(f"the agent's process did not start: {said or 'no answer'}")
