"""The validation server of a run, as the harness sees it: a process of its own on a socket."""

from __future__ import annotations

import json
import socket as sockets
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

from mlebench.catalogue import LocatedCompetition
from mlebench.errors import SandboxError
from mlebench.grading.grade import require_prepared
from mlebench.http import listen_on_socket
from mlebench.system.fork_server import START_SECONDS, ForkedChild, ForkServer
from mlebench.validation.log import read_counter

PER_MINUTE = 30
END_SECONDS = 5.0
TARGET = "mlebench.validation.process:serve"
IMPORTS = (
    "mlebench.validation.process",
    "mlebench.validation.validator:warm_up",
    "mlebench.native:library",
)


class ValidationServer:
    """Serves one competition while the context is open; no field of a request can name another.

    The harness reads nothing that a client sends: requests are read by a child, uploads by
    children of that child (`process.py`, `judges.py`).

    Args:
        socket: where to listen: a path, or a socket that listens already.
        log: a JSONL file for every call.
        last_valid: where to keep the last valid submission.
        forks: starts the processes; one of the server's own if none is given.
        spool: a folder for large uploads while they are processed.
        renaming: the map of a run with neutral names.
    """

    def __init__(
        self,
        competition: LocatedCompetition,
        *,
        socket: Path | sockets.socket,
        log: Path | None = None,
        last_valid: Path | None = None,
        per_minute: int | None = PER_MINUTE,
        at_once: int = 1,
        forks: ForkServer | None = None,
        spool: Path | None = None,
        renaming: Path | None = None,
    ) -> None:
        self.competition = competition
        self.socket = socket
        self._facts: dict[str, Any] = {
            "competition_id": competition.id,
            "home": str(competition.home.absolute()),
            "data_dir": str(competition.folder.root.absolute()),
            "revision": competition.revision,
            "per_minute": per_minute,
            "at_once": at_once,
            "start": time.monotonic(),
        }
        paths = {"log": log, "last_valid": last_valid, "spool": spool, "renaming": renaming}
        self._facts |= {name: path and str(path.absolute()) for name, path in paths.items()}
        self._forks = forks
        self._calls: Callable[[], int] = lambda: 0
        self._child: ForkedChild

    @property
    def calls(self) -> int:
        """How many validations were asked for."""
        return self._calls()

    def __enter__(self) -> ValidationServer:
        require_prepared(self.competition)
        with ExitStack() as stack:
            forks = self._forks or stack.enter_context(ForkServer(IMPORTS))
            listener = self.socket
            if isinstance(listener, Path):
                listener = stack.enter_context(listen_on_socket(listener))
            counter = stack.enter_context(tempfile.TemporaryFile())
            self._calls = lambda: read_counter(counter.fileno())
            self._child = forks.fork(TARGET, self._facts, [listener.fileno(), counter.fileno()])
            try:
                reply = self._child.receive(START_SECONDS)
            except TimeoutError:
                reply = None
            facts = json.loads(reply) if reply else {"error": "it ended at once"}
            if "error" in facts:
                self._child.end()
                raise SandboxError(f"the validation server does not start: {facts['error']}")
            forks.warm(facts["imports"])
            self._stack = stack.pop_all()
        return self

    def wait(self) -> None:
        """Wait until the server ends, which it does only if it keeps failing."""
        self._child.connection.recv(1)

    def __exit__(self, *exception: object) -> None:
        # Calls that are being recorded are finished first.
        with suppress(OSError):
            self._child.connection.shutdown(sockets.SHUT_WR)
            self._child.connection.settimeout(END_SECONDS)
            self._child.connection.recv(1)
        self._child.end()
        calls = self.calls
        self._calls = lambda: calls
        self._stack.close()
