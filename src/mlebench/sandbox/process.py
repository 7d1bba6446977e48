"""The sandbox `process`: a plain child process. NO ISOLATION; for trying things out.

The agent can read answers, use the network and change files of the user who started it. Paths of
the agent's world in its command and variables are replaced by those of the host, and
MLEBENCH_ROOT names a folder whose `home` looks like `/home` elsewhere.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path

from mlebench.errors import SandboxError
from mlebench.sandbox import bridge
from mlebench.sandbox.base import (
    GATEWAY_PORT,
    GATEWAY_SOCKET,
    VALIDATION_PORT,
    VALIDATION_SOCKET,
    Availability,
    Isolation,
    Job,
    Outcome,
)
from mlebench.sandbox.mounts import WRITABLE
from mlebench.sandbox.output import CappedLog
from mlebench.sandbox.processes import Identity, end_tree, identify, send
from mlebench.sandbox.supervise import Supervisor, drain
from mlebench.sandbox.watch import Watcher
from mlebench.sandbox.world import PATH, VALIDATE, sandbox_environment

WARNING = "NO ISOLATION: THE AGENT COULD READ ANSWERS AND USE THE NETWORK"
MARK = "MLEBENCH_SANDBOX"
ROOT_VARIABLE = "MLEBENCH_ROOT"
"""The folder in which `home` of the agent's world is; agents that ask for it work here, too."""

PORT_VARIABLE = "MLEBENCH_VALIDATION_PORT"
START_SECONDS = 30.0


class ProcessSandbox:
    """Runs a job as a child of this process, with limits but without walls."""

    name = "process"
    isolation: Isolation = "none"

    def availability(self) -> Availability:
        """It works everywhere; whether to use it is another question."""
        return Availability(True, WARNING.lower())

    def run(
        self,
        job: Job,
        *,
        on_start: Callable[[Mapping[str, object]], None] = lambda facts: None,
        is_cancelled: Callable[[], bool] = lambda: False,
    ) -> Outcome:
        """See `Sandbox.run`."""
        with ExitStack() as stack:
            world = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="mlebench-")))
            log = CappedLog(job.log)
            stack.callback(log.close)
            log.write(f"{WARNING}\n".encode())
            mark = secrets.token_hex(16)
            stack.callback(_end_marked, mark)
            control, theirs = socket.socketpair()
            stack.enter_context(control)
            output, output_end = os.pipe()
            stack.callback(os.close, output)
            process = _launch(job, world, mark, theirs, output_end)
            stack.callback(_reap, process)
            theirs.close()
            os.close(output_end)
            identity = _wait_until_ready(process, control, output)
            on_start({"sandbox": "process", "init": vars(identity), "mark": mark})
            pidfd = os.pidfd_open(process.pid)
            stack.callback(os.close, pidfd)
            folders = job.folders
            watcher = Watcher(
                job.limits,
                process.pid,
                [folders.submission, folders.logs, folders.code, folders.agent],
            )
            supervisor = Supervisor(
                pidfd,
                output,
                log,
                watcher,
                is_cancelled,
                kill=lambda: _kill(identity, pidfd),
                spare=(process.pid,),
                notes=job.resources,
            )
            control.sendall(bridge.GO)
            ending = supervisor.wait()
            process.wait()
            _end_marked(mark)
            drain(output, log)
            code = process.returncode if ending.ended_by == "exit" else None
            reason = ending.reason if code is None else f"it ended by itself with exit code {code}"
            return Outcome(
                ending.ended_by,
                code,
                reason,
                round(ending.seconds, 3),
                watcher.usage(round(ending.seconds, 3)),
                {
                    "sandbox": "process",
                    "isolation": WARNING,
                    "network": "host",
                    "seccomp": False,
                    "uid": os.geteuid(),
                    "output_bytes": log.bytes_seen,
                    "suspended_seconds": ending.suspended_seconds,
                },
            )

    def end_leftovers(self, facts: Mapping[str, object]) -> bool:
        """Kill the first process of the sandbox and all below it, and what carries its mark."""
        known = facts.get("init")
        over = True
        if isinstance(known, Mapping):
            over = end_tree(Identity(int(known["pid"]), int(known["start"]), str(known["boot"])))
        if mark := facts.get("mark"):
            _end_marked(str(mark))
        return over


def _launch(
    job: Job, world: Path, mark: str, control: socket.socket, output: int
) -> subprocess.Popen[bytes]:
    validation, gateway = _free_port(VALIDATION_PORT), _free_port(GATEWAY_PORT)
    places = _places(job, world, validation, gateway)
    (world / "instructions.txt").write_text(_replaced(job.instructions, places))
    _make_home(job, world)
    script = world / "validate_submission.sh"
    script.write_text(_replaced(VALIDATE, places))
    script.chmod(0o755)
    environment = {
        name: _replaced(value, places) for name, value in sandbox_environment(job).items()
    }
    # The host's own programs stay reachable: nothing is hidden in this sandbox anyway.
    environment["PATH"] = environment["PATH"].replace(_replaced(PATH, places), _path(places))
    command = [
        *(sys.executable, "-I", "-S", str(Path(bridge.__file__)), "--control", "--reap"),
        *("--sockets", str(job.folders.sockets)),
        *(
            "--forward",
            f"{validation}:{VALIDATION_SOCKET}",
            "--forward",
            f"{gateway}:{GATEWAY_SOCKET}",
        ),
        "--",
        *(_replaced(part, places) for part in job.command),
    ]
    return subprocess.Popen(
        command,
        stdin=control.fileno(),
        stdout=output,
        stderr=output,
        cwd=job.folders.agent,
        env={
            **environment,
            ROOT_VARIABLE: str(world),
            PORT_VARIABLE: str(validation),
            MARK: mark,
        },
        close_fds=True,
        start_new_session=True,
    )


def _make_home(job: Job, world: Path) -> None:
    """A folder that looks like `/home` in the other sandboxes."""
    home = world / "home"
    home.mkdir()
    (home / "data").symlink_to(job.folders.public.resolve())
    for name in WRITABLE:
        (home / name).symlink_to(getattr(job.folders, name).resolve())
    for name in ("instructions.txt", "validate_submission.sh"):
        (home / name).symlink_to(world / name)


def _path(places: Mapping[str, str]) -> str:
    return f"{places['/opt/python']}/bin:{os.environ.get('PATH', '/usr/bin:/bin')}"


def _places(job: Job, world: Path, validation: int, gateway: int) -> dict[str, str]:
    """The agent's world on the host."""
    folders = job.folders
    return {
        "/home/data": str(folders.public),
        "/home/submission": str(folders.submission),
        "/home/logs": str(folders.logs),
        "/home/code": str(folders.code),
        "/home/agent": str(folders.agent),
        "/home/instructions.txt": str(world / "instructions.txt"),
        "/home/validate_submission.sh": str(world / "validate_submission.sh"),
        "/opt/agent": str(folders.package),
        "/opt/python": sys.base_prefix,
        "/opt/packages": str(job.packages or world / "packages"),
        "/run/sockets": str(folders.sockets),
        f"localhost:{VALIDATION_PORT}": f"localhost:{validation}",
        f"localhost:{GATEWAY_PORT}": f"localhost:{gateway}",
    }


def _replaced(text: str, places: Mapping[str, str]) -> str:
    """All places at once: a host path may look like a place of the agent's world."""
    import re

    pattern = "|".join(re.escape(place) for place in sorted(places, key=len, reverse=True))
    return re.sub(rf"(?<![\w/.-])(?:{pattern})(?![\w.-])", lambda m: places[m[0]], text)


def _free_port(wanted: int) -> int:
    """The usual port, or another one when a run beside this one has it."""
    for port in (wanted, 0):
        with contextlib.suppress(OSError), socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(("127.0.0.1", port))
            return int(probe.getsockname()[1])
    raise SandboxError("no port is free on localhost")


def _wait_until_ready(
    process: subprocess.Popen[bytes], control: socket.socket, output: int
) -> Identity:
    waiting = select.poll()
    waiting.register(control, select.POLLIN)
    ready = bool(waiting.poll(START_SECONDS * 1000)) and control.recv(1) == bridge.READY
    identity = identify(process.pid) if ready else None
    if identity is None:
        process.kill()
        process.wait()
        os.set_blocking(output, False)
        said = ""
        with contextlib.suppress(OSError):
            said = os.read(output, 4096).decode("utf-8", "replace").strip()
        raise SandboxError(f"the agent's process did not start: {said or 'no answer'}")
    return identity


def _kill(identity: Identity, pidfd: int) -> None:
    end_tree(identity)
    send(pidfd, signal.SIGKILL)


def _end_marked(mark: str) -> None:
    """End what got away from its parents; each carries the mark in its first environment."""
    wanted = f"{MARK}={mark}".encode()
    for _ in range(20):
        found = [pid for pid in _all_pids() if _has_mark(pid, wanted)]
        if not found:
            return
        for pid in found:
            with contextlib.suppress(OSError):
                descriptor = os.pidfd_open(pid)
                if _has_mark(pid, wanted):
                    send(descriptor, signal.SIGKILL)
                os.close(descriptor)
        time.sleep(0.02)


def _all_pids() -> list[int]:
    own = os.getpid()
    names = [entry.name for entry in os.scandir("/proc")]
    return [int(name) for name in names if name.isdigit() and int(name) != own]


def _has_mark(pid: int, wanted: bytes) -> bool:
    try:
        return wanted in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except OSError:
        return False


def _reap(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        process.kill()
    process.wait()
