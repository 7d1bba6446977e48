"""The validation server of a run: a thread with its own event loop on a unix socket."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from pathlib import Path
from types import TracebackType

from mlebench.catalogue import LocatedCompetition
from mlebench.http import HttpServer, listen_on_socket
from mlebench.validation.application import ValidationApplication
from mlebench.validation.log import ValidationLog
from mlebench.validation.validator import Validator

PER_MINUTE = 30


class ValidationServer:
    """Serves one competition while the context is open; no field of a request can name another.

    Args:
        log: a JSONL file for every call.
        last_valid: where to keep the last valid submission.
    """

    def __init__(
        self,
        competition: LocatedCompetition,
        *,
        socket: Path,
        log: Path | None = None,
        last_valid: Path | None = None,
        per_minute: int | None = PER_MINUTE,
        at_once: int = 1,
    ) -> None:
        self.competition = competition
        self.socket = socket
        self.per_minute = per_minute
        self.at_once = at_once
        self._log = ValidationLog(log, last_valid=last_valid)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, daemon=True, name="validation")

    @property
    def calls(self) -> int:
        """How many validations were asked for."""
        return self._log.calls

    def __enter__(self) -> ValidationServer:
        application = ValidationApplication(
            Validator(self.competition),
            self._log,
            per_minute=self.per_minute,
            at_once=self.at_once,
        )
        self._listener = listen_on_socket(self.socket)
        server = HttpServer(application, max_body_bytes=application.max_body_bytes)
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
