"""The model gateway of a group: started beside its workers, a door for each run."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from mlebench.gateway.door import OpenDoor, open_door, start_gateway
from mlebench.gateway.keys import take_key
from mlebench.gateway.replay import find_tape
from mlebench.gateway.settings import GatewaySettings, read_settings
from mlebench.runner.local import Work
from mlebench.runner.plan import open_group
from mlebench.runner.records import GroupRecord, read_run
from mlebench.sandbox.base import GATEWAY_SOCKET
from mlebench.storage import GroupFolder, RunFolder


@dataclass(frozen=True)
class GatewayDoor:
    """Opens the door of a run in any worker on this machine."""

    control: Path
    model: str
    replay: str | None = None

    @contextmanager
    def __call__(self, run: RunFolder, folder: Path) -> Iterator[OpenDoor]:
        """Open while the run lives; its record lies in the run's host folder."""
        record = read_run(run.state)
        wanted: dict[str, Any] = {
            "run_id": record.run_id,
            "socket": str(folder / GATEWAY_SOCKET),
            "trajectory": str(run.trajectory),
        }
        if self.replay is not None:
            tape = find_tape(Path(self.replay), record.competition_id, record.seed)
            wanted["tape"] = str(tape)
        with open_door(self.control, self.model, wanted) as door:
            yield door


@contextmanager
def with_gateway(work: Work) -> Iterator[Work]:
    """The work with a gateway beside it, where its group uses a model."""
    group = GroupFolder(work.group)
    plan = open_group(group)
    if not plan.settings.gateway:
        yield work
        return
    settings = read_settings(plan.settings.gateway)
    key = "" if settings.replay else _take_key(plan, settings)
    with start_gateway(settings, key, group.budget) as control:
        del key
        door = GatewayDoor(control, settings.model, settings.replay)
        yield replace(work, model_door=door)


def _take_key(plan: GroupRecord, settings: GatewaySettings) -> str:
    variable = plan.settings.gateway.get("api_key_env") or "OPENAI_API_KEY"
    return take_key(variable, is_optional=settings.is_local)
