"""A fork server: children for single tasks in milliseconds, with all imports done.

`ForkServer` starts `python -m mlebench.system.fork_server`, a process without threads that imports
what its children need and forks one for each request. A child serves one task and is never used
again, so that what a hostile file does to it harms no other file.
"""

from __future__ import annotations

import gc
import importlib
import json
import logging
import os
import re
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Sequence
from contextlib import ExitStack, suppress
from itertools import islice
from typing import Any, NoReturn

from mlebench.errors import SandboxError
from mlebench.system.children import die_with_parent

logger = logging.getLogger(__name__)

START_SECONDS = 120
MAX_REQUEST = 1 << 20
MAX_REPLY = 4 << 20
PART = 1 << 16
WARM = re.compile(r"(numpy|pandas|pyarrow|scipy|sklearn|rapidfuzz|mlebench)(\.(?!__main__)\w+)*")
"""Modules that may be imported because a child needed them; installed libraries, all trusted."""

WITHOUT_THREADS = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "JE_ARROW_MALLOC_CONF": "background_thread:false",
}
"""Variables that keep libraries from starting threads when they are imported: a process that is
forked from one with threads can hang.
"""


class ForkedChild:
    """A child at work: its end of a socket, and how it ended."""

    def __init__(self, server: ForkServer, pid: int, connection: socket.socket) -> None:
        self._server = server
        self.pid = pid
        self.connection = connection

    def receive(self, seconds: float, limit: int = MAX_REPLY) -> bytes | None:
        """A line from the child; None if it ended without one or wrote far too much.

        Raises:
            TimeoutError: there is none in time.
        """
        return receive_line(self.connection, seconds, limit)

    def end(self) -> int:
        """Kill the child and all that it started; its wait status."""
        self.connection.close()
        return self._server.end(self.pid)


class ForkServer:
    """A fork server, started when the first child is asked for; threads may share it.

    Args:
        imports: modules that all children use, or `module:function` to call before any fork.
    """

    def __init__(self, imports: Sequence[str]) -> None:
        self.imports = tuple(imports)
        self._lock = threading.RLock()
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket
        self._warm: set[str] = set()

    def __enter__(self) -> ForkServer:
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()

    def fork(self, target: str, facts: dict[str, Any], files: Sequence[int] = ()) -> ForkedChild:
        """Start a child that calls `module:function` with a socket, the facts and the files."""
        ours, theirs = socket.socketpair()
        with ExitStack() as stack, theirs:
            stack.enter_context(ours)
            request = {"target": target, "facts": facts}
            reply = self._ask(request, [theirs.fileno(), *files])
            stack.pop_all()
        return ForkedChild(self, int(reply["pid"]), ours)

    def ask(
        self, target: str, facts: dict[str, Any], seconds: float, limit: int = MAX_REPLY
    ) -> Any:
        """The JSON value that a child sends with `send_json`; None if it ended without one.

        Raises:
            TimeoutError: there is none in time.
        """
        child = self.fork(target, facts)
        try:
            line = child.receive(seconds, limit)
        finally:
            child.end()
        return None if line is None else json.loads(line)

    def end(self, pid: int) -> int:
        """Kill a child of the server; -1 if the server itself is gone."""
        with suppress(SandboxError):
            return int(self._ask({"end": pid})["status"])
        return -1

    def warm(self, modules: Iterable[str]) -> None:
        """Import modules that a child had to import, so that later ones inherit them."""
        new = [name for name in modules if WARM.fullmatch(name) and name not in self._warm]
        if new:
            self._warm.update(new)
            self._ask({"imports": new})

    def stop(self) -> None:
        """End the server and all its children."""
        with self._lock:
            if self._process:
                self._control.close()
                self._process.kill()
                self._process.wait()
                self._process = None

    def _ask(self, request: dict[str, Any], files: Sequence[int] = ()) -> dict[str, Any]:
        with self._lock:
            if self._process is None:
                if "end" in request:
                    raise SandboxError("the fork server has ended")
                self._start()
            try:
                socket.send_fds(self._control, [json.dumps(request).encode() + b"\n"], files)
                reply = receive_line(self._control, START_SECONDS)
            except (OSError, TimeoutError):
                reply = None
            if reply is None:
                self.stop()
                raise SandboxError("the process that starts graders and validators has ended")
            return dict(json.loads(reply))

    def _start(self) -> None:
        self._control, theirs = socket.socketpair()
        # Children import what this process can import, except from the current folder.
        inherited = os.environ.get("PYTHONPATH")
        environment = {
            **os.environ,
            **WITHOUT_THREADS,
            "PYTHONPATH": os.pathsep.join(filter(None, [inherited, *sys.path])),
            # joblib would otherwise try semaphores, which a confined child does not have.
            "JOBLIB_MULTIPROCESSING": "0",
        }
        words = [sys.executable, "-P", "-m", "mlebench.system.fork_server"]
        with theirs:
            self._process = subprocess.Popen(
                [*words, str(theirs.fileno()), *self.imports],
                stdin=subprocess.DEVNULL,
                env=environment,
                pass_fds=[theirs.fileno()],
            )
        if receive_line(self._control, START_SECONDS) is None:
            self.stop()
            raise SandboxError(f"the fork server does not start: {' '.join(words)}")


def receive_line(connection: socket.socket, seconds: float, limit: int = MAX_REPLY) -> bytes | None:
    """The bytes up to a newline; None at the end of the stream, or if there are more."""
    deadline = time.monotonic() + seconds
    line = bytearray()
    while not line.endswith(b"\n"):
        left = max(0.0, deadline - time.monotonic())
        if not select.select([connection], [], [], left)[0]:
            raise TimeoutError
        try:
            part = connection.recv(PART)
        except ConnectionError:
            return None
        line += part
        if not part or len(line) > limit:
            return None
    return bytes(line)


def main() -> None:
    """Fork until the control socket is closed, then end with all children."""
    control = socket.socket(fileno=int(sys.argv[1]))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # What a library prints must not mix with the output of the command.
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    for name in sys.argv[2:]:
        module, _, function = name.partition(":")
        loaded = importlib.import_module(module)
        if function:
            getattr(loaded, function)()
    children: set[int] = set()
    gc.freeze()  # a collection in a child would copy every page that has an object
    send_json(control, {"is_ready": True})
    while True:
        data, files, _, _ = socket.recv_fds(control, MAX_REQUEST, 8)
        if not data:
            break
        _answer(control, json.loads(data), files, children)
    for pid in children:
        _end(pid)


def _answer(
    control: socket.socket, request: dict[str, Any], files: list[int], children: set[int]
) -> None:
    if "end" in request:
        known = request["end"] in children
        children.discard(request["end"])
        send_json(control, {"status": _end(request["end"]) if known else -1})
    elif "imports" in request:
        for name in request["imports"]:
            with suppress(Exception):
                importlib.import_module(name)
        gc.freeze()
        send_json(control, {"is_ready": True})
    else:
        server = os.getpid()
        pid = os.fork()
        if pid == 0:
            control.close()
            _run(request, files, server)
        children.add(pid)
        send_json(control, {"pid": pid})
    for file in files:
        os.close(file)


def _end(pid: int) -> int:
    """Kill a child; its PID cannot have been reused, because it has not been waited for."""
    os.kill(pid, signal.SIGKILL)
    return os.waitpid(pid, 0)[1]


def _run(request: dict[str, Any], files: list[int], server: int) -> NoReturn:
    """Do the single task of a child, then exit."""
    status = 1
    try:
        die_with_parent(server)
        module, _, function = request["target"].partition(":")
        with socket.socket(fileno=files[0]) as connection:
            task = getattr(importlib.import_module(module), function)
            task(connection, request["facts"], *files[1:])
        status = 0
    except Exception:  # a child must never continue with the code of its parent
        logger.exception("a child failed")
    finally:
        os._exit(status)


def send_json(connection: socket.socket, value: object) -> None:
    """Send a value as one line of JSON."""
    connection.sendall(json.dumps(value).encode() + b"\n")


def modules_since(known: int) -> list[str]:
    """What was imported after the first modules; looking at each would copy pages of the parent."""
    return list(islice(reversed(sys.modules), len(sys.modules) - known))


if __name__ == "__main__":
    with suppress(BrokenPipeError):  # the parent was killed
        main()
