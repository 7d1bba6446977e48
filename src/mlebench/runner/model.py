"""The model gateway of a group: runs next to its workers, with an endpoint for each run."""

from __future__ import annotations

import atexit
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from mlebench.errors import SandboxError, UsageError
from mlebench.gateway.client import ModelEndpoint, open_endpoint, start_gateway
from mlebench.gateway.control import EndpointRequest
from mlebench.gateway.keys import take_key
from mlebench.gateway.replay import find_recording
from mlebench.gateway.settings import GatewaySettings, read_settings
from mlebench.records.folders import RunFolder
from mlebench.records.run import RunRecord
from mlebench.runner.tools import Work
from mlebench.sandbox.base import GATEWAY_SOCKET

_of_this_machine: dict[Path, Path] = {}
"""Control sockets of gateways that a worker on another machine started, by their budget log."""


@dataclass(frozen=True)
class GatewayClient:
    """Opens the endpoint of a run in any worker."""

    control: Path | None
    """The socket of the harness's gateway; None where each machine starts its own."""

    settings: GatewaySettings
    budget_log: Path
    api_key_env: str

    @contextmanager
    def __call__(self, record: RunRecord, run: RunFolder, folder: Path) -> Iterator[ModelEndpoint]:
        """Open while the run lives; its trajectory is stored in the run's host folder."""
        recording = None
        if self.settings.replay is not None:
            place = Path(self.settings.replay)
            recording = str(find_recording(place, record.competition_id, record.seed))
        request = EndpointRequest(
            record.run_id, str(folder / GATEWAY_SOCKET), str(run.trajectory), recording
        )
        # On another machine of a cluster the harness's folder does not exist.
        control = self.control
        if control is None or not control.parent.exists():
            control = self._start_here()
        with open_endpoint(control, self.settings.model, request) as endpoint:
            yield endpoint

    def _start_here(self) -> Path:
        """A gateway that lives as long as this worker; the machine's own environment has the key.

        All gateways of a group reserve in the same budget log, on the shared file system.
        """
        if self.budget_log not in _of_this_machine:
            try:
                key = _key_for(self.settings, self.api_key_env)
            except UsageError as error:
                raise SandboxError(f"no model gateway on this machine: {error}") from None
            stack = ExitStack()
            control = stack.enter_context(start_gateway(self.settings, key, self.budget_log))
            atexit.register(stack.close)
            _of_this_machine[self.budget_log] = control
        return _of_this_machine[self.budget_log]


@contextmanager
def with_gateway(work: Work, *, is_detached: bool = False) -> Iterator[Work]:
    """The work with a running gateway, if its group uses a model.

    Args:
        is_detached: the workers go on without this process, with gateways of their own.
    """
    group = work.group
    facts = group.plan.settings.gateway
    if not facts:
        yield work
        return
    settings = read_settings(facts)
    variable = facts.get("api_key_env") or "OPENAI_API_KEY"
    client = GatewayClient(None, settings, group.budget, variable)
    if is_detached:
        yield replace(work, open_model=client)
        return
    key = _key_for(settings, variable)
    with start_gateway(settings, key, group.budget) as control:
        del key
        yield replace(work, open_model=replace(client, control=control))


def _key_for(settings: GatewaySettings, variable: str) -> str:
    return "" if settings.replay else take_key(variable, is_optional=settings.is_local)
