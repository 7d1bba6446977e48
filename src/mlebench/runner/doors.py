"""The two doors of a run: validation server and model gateway, on sockets in a private folder.

A socket's path may have 107 characters at most and a run's folder may be deeper, so the doors lie
in a temporary folder of their own; the folder is mounted, not the sockets, so that a server that
starts again is reachable again.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any

from mlebench.catalogue import LocatedCompetition
from mlebench.records.folders import RunFolder
from mlebench.sandbox.base import VALIDATION_SOCKET
from mlebench.validation import ValidationServer

ModelDoor = Callable[[RunFolder, Path], AbstractContextManager[Any]]
"""Opens the model gateway for a run in its doors folder; what it gives has `environment`, the
variables for the agent, `is_broken()`, and `totals()`, what was spent."""


class Doors:
    """Open while the run lives."""

    def __init__(
        self, run: RunFolder, competition: LocatedCompetition, model_door: ModelDoor | None
    ) -> None:
        self.run = run
        self.competition = competition
        self.model_door = model_door
        self.environment: dict[str, str] = {}
        self._stack = ExitStack()
        self._model: Any = None
        self._server: ValidationServer

    def __enter__(self) -> Doors:
        self.folder = Path(tempfile.mkdtemp(prefix="mlebench-"))
        self._stack.callback(shutil.rmtree, self.folder, ignore_errors=True)
        # The agent's user enters through the mount and must reach the sockets.
        self.folder.chmod(0o711)
        self._server = self._stack.enter_context(
            ValidationServer(
                self.competition,
                socket=self.folder / VALIDATION_SOCKET,
                record=self.run.validations,
                last_valid=self.run.last_valid,
            )
        )
        if self.model_door is not None:
            self._model = self._stack.enter_context(self.model_door(self.run, self.folder))
            self.environment |= self._model.environment
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stack.close()

    @property
    def validations(self) -> int:
        """How often the agent asked."""
        return int(self._server.calls)

    def is_broken(self) -> bool:
        """Whether the agent runs on without the model that it was promised."""
        return self._model is not None and bool(self._model.is_broken())

    def model_totals(self) -> dict[str, Any]:
        """Calls, tokens and cost so far."""
        return dict(self._model.totals()) if self._model is not None else {}
