"""The validation server of a run: a thread with its own event loop on a unix socket."""

from __future__ import annotations

import asyncio
import contextlib
import socket as socket_module
import threading
from pathlib import Path
from types import TracebackType

from mlebench.catalogue import LocatedCompetition
from mlebench.http.server import HttpServer
from mlebench.validation.application import Application
from mlebench.validation.validator import Record, Validator

PER_MINUTE = 30


class ValidationServer:
    """Serves while it is open; the socket decides the competition, no field of a request does."""

    def __init__(
        self,
        competition: LocatedCompetition,
        *,
        socket: Path,
        record: Path | None = None,
        last_valid: Path | None = None,
        per_minute: int | None = PER_MINUTE,
        at_once: int = 1,
    ) -> None:
        self.competition = competition
        self.socket = socket
        self.per_minute = per_minute
        self.at_once = at_once
        self._record = Record(record, last_valid)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, daemon=True, name="validation")

    @property
    def calls(self) -> int:
        """How many validations were asked for."""
        return self._record.calls

    def __enter__(self) -> ValidationServer:
        self._application = Application(
            Validator(self.competition), self._record, self.per_minute, at_once=self.at_once
        )
        self._listener = socket_module.socket(socket_module.AF_UNIX)
        self._listener.bind(str(self.socket))
        # The agent's user is another one than ours.
        self.socket.chmod(0o666)
        self._listener.listen(256)
        server = HttpServer(self._application, max_body=self._application.max_body)
        self._task = self._loop.create_task(server.serve(self._listener))
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._loop.call_soon_threadsafe(self._task.cancel)
        self._thread.join()
        self._listener.close()

    def _run(self) -> None:
        with contextlib.suppress(asyncio.CancelledError):
            self._loop.run_until_complete(self._task)
        self._loop.run_until_complete(self._loop.shutdown_default_executor())
        self._loop.close()
