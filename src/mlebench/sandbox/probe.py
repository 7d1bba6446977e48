"""Probe a sandbox: place canaries on the host, run the crawler inside, report what it found.

A sandbox passes if no canary is found and the agent can write to its own folders only.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import secrets
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil

from mlebench.errors import SandboxError
from mlebench.sandbox.base import Job, JobFolders, ResourceLimits
from mlebench.sandbox.mounts import WRITABLE
from mlebench.sandbox.programs import crawler
from mlebench.sandbox.registry import get_sandbox
from mlebench.system.commands import last_line

CRAWLER = Path(crawler.__file__)
CRAWL = "python3 -I /opt/agent/crawler.py /home/data/order.json /home/submission/found.json".split()
OWNED = frozenset([*(f"/home/{name}" for name in WRITABLE), "/tmp", "/dev/shm"])
SECONDS = 120
KEY_NAME = "mlebench-probe"
VARIABLE = "MLEBENCH_PROBE_KEY"
ENGINE_VARIABLES = ("DOCKER_HOST", "DOCKER_TLS_VERIFY", "DOCKER_CERT_PATH")


@dataclass(frozen=True)
class Probe:
    """What the crawler found."""

    leaks: Mapping[str, str]
    """Which canary was found, and where inside."""

    writable: tuple[str, ...]
    files_read: int
    found: Mapping[str, Any] = field(default_factory=dict)
    """Everything else that the crawler reported."""

    @property
    def passed(self) -> bool:
        return not self.leaks and set(self.writable) == OWNED

    @property
    def reason(self) -> str:
        """One sentence for a person."""
        if self.leaks:
            parts = [f"{name} (in {where})" for name, where in self.leaks.items()]
            return f"the agent could read {', '.join(parts)}"
        wrong = sorted(set(self.writable) ^ OWNED)
        if wrong:
            return f"these places are writable and should not be, or the reverse: {wrong}"
        return f"the crawler read {self.files_read} files and found no canary"


def probe(
    sandbox: str,
    *,
    python: str = sys.executable,
    wrapper: tuple[str, ...] = (),
    packages: Sequence[Path] = (),
) -> Probe:
    """Run the crawler in a sandbox, with canaries in all sensitive places of the host.

    Args:
        sandbox: name of the sandbox.
        python: interpreter for the operator's process.
        wrapper: command put before it, for example to become another user.
        packages: folders for its imports, if it cannot read those that this process uses.
    """
    if get_sandbox(sandbox).isolation == "none":
        raise SandboxError(
            f"{sandbox} isolates nothing; the crawler would walk over the whole machine"
        )
    canaries = {name: f"canary-{secrets.token_hex(16)}" for name in ("variable", "argument")}
    with tempfile.TemporaryDirectory(prefix="mlebench-probe-") as place, ExitStack() as stack:
        result = Path(place) / "result.json"
        result.touch()
        for path in (Path(place), result):
            path.chmod(0o777)
        held = stack.enter_context(open(__file__, "rb"))
        os.set_inheritable(held.fileno(), True)
        # The interpreter may be one without our packages.
        packages = packages or (Path(__file__).parents[2], Path(psutil.__file__).parents[1])
        engine = {name: os.environ[name] for name in ENGINE_VARIABLES if name in os.environ}
        answer = subprocess.run(
            [*wrapper, python, "-P", "-m", __name__, sandbox, place, canaries["argument"]],
            env={
                "PATH": os.environ.get("PATH", ""),
                "PYTHONPATH": os.pathsep.join(map(str, packages)),
                "PYTHONDONTWRITEBYTECODE": "1",
                VARIABLE: canaries["variable"],
                **engine,
            },
            cwd="/",
            capture_output=True,
            text=True,
            timeout=SECONDS + 60,
            pass_fds=(held.fileno(),),
        )
        if answer.returncode:
            raise SandboxError(f"the probe of {sandbox} did not run: {last_line(answer.stderr)}")
        return _evaluate(json.loads(result.read_text()), canaries)


def _evaluate(answer: dict[str, Any], canaries: dict[str, str]) -> Probe:
    names = {value: name for name, value in {**answer["planted"], **canaries}.items()}
    found = answer["found"]
    leaks = {
        names.get(value, "an unknown canary"): where for value, where in found["canaries"].items()
    }
    return Probe(leaks, tuple(found["writable"]), found["files_read"], found)


def operate(sandbox: str, place: Path) -> None:
    """The operator's side, in a process whose variables and arguments are canaries."""
    with ExitStack() as stack:
        hidden = Planted(place, stack)
        job = _job(place, hidden)
        outcome = get_sandbox(sandbox).run(job)
        if outcome.exit_code != 0:
            said = job.log.read_text(errors="replace").strip().splitlines()[-1:]
            raise SandboxError(f"the crawler failed: {outcome.reason} {said}")
        found = json.loads((job.folders.submission / "found.json").read_bytes())
        (place / "result.json").write_text(json.dumps({"found": found, "planted": hidden.canaries}))


class Planted:
    """Canaries in all places where an operator has secrets; the stack removes some of them."""

    def __init__(self, place: Path, stack: ExitStack) -> None:
        self.canaries: dict[str, str] = {}
        self.order: dict[str, Any] = {"files": [], "ports": [], "abstract": [], "keys": []}
        self.private = place / "prepared" / "private"
        self._file(self.private / "answers.csv", "answers")
        self._file(place / "home" / "credentials", "home")
        self._file(place / "runs" / "other" / "submission" / "submission.csv", "other run")
        self._descriptors(stack)
        self._listeners(stack)
        self._key()
        self._segment(stack)

    def canary(self, name: str) -> str:
        return self.canaries.setdefault(name, f"canary-{secrets.token_hex(16)}")

    def _file(self, path: Path, name: str) -> None:
        path.parent.mkdir(parents=True)
        path.write_text(f"id,value\n1,{self.canary(name)}\n")
        self.order["files"].append(str(path))

    def _descriptors(self, stack: ExitStack) -> None:
        """A file and a folder that every child would inherit."""
        for path in (self.private, self.private / "answers.csv"):
            descriptor = os.open(path, os.O_RDONLY)
            os.set_inheritable(descriptor, True)
            stack.callback(os.close, descriptor)

    def _listeners(self, stack: ExitStack) -> None:
        tcp = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        self.order["ports"].append(tcp.getsockname()[1])
        _answer(tcp, self.canary("loopback port"))
        plain = f"mlebench-probe-{os.getpid()}"
        self.order["abstract"].append(plain)
        telling = f"mlebench-probe-{self.canary('name of an abstract socket')}"
        for name in (plain, telling):
            listener = stack.enter_context(socket.socket(socket.AF_UNIX))
            listener.bind(f"\0{name}")
            listener.listen()
            _answer(listener, self.canary("abstract socket"))

    def _key(self) -> None:
        if os.uname().machine != "x86_64":
            return
        libc = ctypes.CDLL(None, use_errno=True)
        libc.syscall(250, 1, None)  # a session keyring of this process alone
        secret = self.canary("session key").encode()
        if libc.syscall(248, b"user", KEY_NAME.encode(), secret, len(secret), -3) > 0:
            self.order["keys"].append(KEY_NAME)

    def _segment(self, stack: ExitStack) -> None:
        libc = ctypes.CDLL(None, use_errno=True)
        libc.shmat.restype = ctypes.c_void_p
        key = 0x6D6C0000 | (os.getpid() & 0xFFFF)
        segment = libc.shmget(key, 4096, 0o1666)
        if segment < 0:
            return
        stack.callback(libc.shmctl, segment, 0, None)
        where = libc.shmat(segment, None, 0)
        secret = self.canary("shared memory").encode()
        ctypes.memmove(where, secret, len(secret))
        self.order["segments"] = [key]


def _answer(listener: socket.socket, text: str) -> None:
    def serve() -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = listener.accept()
                with client:
                    client.sendall(text.encode())

    threading.Thread(target=serve, daemon=True).start()


def _job(place: Path, hidden: Planted) -> Job:
    run = place / "runs" / "this"
    for name in WRITABLE:
        (run / name).mkdir(parents=True)
    for name in ("prepared/public", "package", "sockets"):
        (place / name).mkdir(parents=True)
    (place / "package" / "crawler.py").write_bytes(CRAWLER.read_bytes())
    order = {**hidden.order, "words": [str(place)]}
    (place / "prepared" / "public" / "order.json").write_text(json.dumps(order))
    return Job(
        run_id=f"probe-{os.getpid()}",
        command=CRAWL,
        folders=JobFolders(
            public=place / "prepared" / "public",
            package=place / "package",
            sockets=place / "sockets",
            **{name: run / name for name in WRITABLE},
        ),
        limits=ResourceLimits(wall_seconds=SECONDS),
        instructions="Look around.",
        log=run / "log",
        secrets=(hidden.private, place / "runs", place / "home"),
    )


if __name__ == "__main__":
    try:
        operate(sys.argv[1], Path(sys.argv[2]))
    except SandboxError as problem:
        sys.exit(str(problem))
