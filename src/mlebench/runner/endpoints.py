"""The two endpoints of a run: validation server and model gateway, on sockets in a private folder.

A run's folder may be too deep for the path of a socket, so the sockets are in a temporary folder of
their own. The folder is mounted, not the sockets, so that a restarted server can be reached.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import Protocol

from mlebench.catalogue import LocatedCompetition
from mlebench.errors import SandboxError
from mlebench.records.folders import RunFolder
from mlebench.records.run import ModelTotals, RunRecord
from mlebench.sandbox.base import VALIDATION_SOCKET
from mlebench.system.fork_server import ForkServer
from mlebench.system.socket_folders import socket_folder
from mlebench.validation import ValidationServer


class OpenedModel(Protocol):
    """The model endpoint of one run while it is open."""

    @property
    def environment(self) -> dict[str, str]:
        """The variables with which the agent finds its model."""

    def totals(self) -> ModelTotals:
        """What was spent so far."""

    def is_broken(self) -> bool:
        """Whether the gateway is gone although the endpoint should be open."""

    def close(self) -> ModelTotals:
        """Stop serving the agent and return what was spent."""


OpenModel = Callable[[RunRecord, RunFolder, Path], AbstractContextManager[OpenedModel]]
"""Opens the model endpoint of a run with its socket in the given folder."""


class Endpoints:
    """Open while the run lives."""

    def __init__(
        self,
        record: RunRecord,
        run: RunFolder,
        *,
        competition: LocatedCompetition,
        open_model: OpenModel | None,
        forks: ForkServer | None = None,
    ) -> None:
        self.record = record
        self.run = run
        self.competition = competition
        self.open_model = open_model
        self.forks = forks
        self.environment: dict[str, str] = {}
        self._stack = ExitStack()
        self._model: OpenedModel | None = None
        self._server: ValidationServer

    def __enter__(self) -> Endpoints:
        # A sandbox in which the agent is another user makes that one the owner.
        self.folder = self._stack.enter_context(socket_folder())
        self._server = self._stack.enter_context(
            ValidationServer(
                self.competition,
                socket=self.folder / VALIDATION_SOCKET,
                log=self.run.validations,
                last_valid=self.run.last_valid,
                forks=self.forks,
                spool=self.run.host,
                renaming=self.run.renaming if self.run.renaming.exists() else None,
            )
        )
        if self.open_model is not None:
            self._model = self._stack.enter_context(
                self.open_model(self.record, self.run, self.folder)
            )
            self.environment |= self._model.environment
        return self

    def __exit__(self, *exception: object) -> None:
        self._stack.close()

    @property
    def validations(self) -> int:
        """How often the agent asked."""
        return self._server.calls

    def is_broken(self) -> bool:
        """Whether the agent runs on without the model that it was promised."""
        return self._model is not None and self._model.is_broken()

    def model_totals(self) -> ModelTotals | None:
        """Calls, tokens and cost so far; None without a model, or if the gateway is gone."""
        try:
            return self._model.totals() if self._model else None
        except SandboxError:
            return None

    def close_model(self) -> ModelTotals | None:
        """Stop serving the model and return calls, tokens and cost; None without a model."""
        return self._model.close() if self._model else None
