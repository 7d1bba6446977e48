"""The steps of a trajectory: an outline of all, and the messages of some.

The index stores the offset and the first fields of each record; a whole record is parsed only when
its step is shown. Children parse (`exchanges.py`), this process stores what they found.
"""

from __future__ import annotations

import os
from dataclasses import astuple, dataclass, field
from pathlib import Path
from threading import Lock
from typing import Any

from mlebench.viewer.exchanges import LOOK_BACK, TITLE, Step
from mlebench.viewer.lines import FileIndexes, StillReading
from mlebench.viewer.places import opened_folder
from mlebench.viewer.previews import Previews

MAX_STEPS = 20_000
MAX_PAGE = 200
OUTLINE_CHARACTERS = 600_000
"""Limit of the titles of all steps together."""


@dataclass
class StepIndex:
    """The steps of one growing file."""

    previews: Previews
    steps: list[Step] = field(default_factory=list)
    position: int = 0
    lock: Lock = field(default_factory=Lock)

    def advance(self, descriptor: int) -> None:
        """Read the records that were added; an incomplete last line is left for the next call."""
        with self.lock:
            size = os.fstat(descriptor).st_size
            if size < self.position:
                self.steps, self.position = [], 0
            most = MAX_STEPS - len(self.steps)
            if self.position >= size or not most:
                return
            facts = {"position": self.position, "most": most}
            found = self.previews.ask("scan", facts, [descriptor])
            self.steps += [Step(*step) for step in found["steps"]][:most]
            self.position = found["position"]
            if found["is_cut"]:
                raise StillReading(self.position / size)


class Trajectories(FileIndexes[StepIndex]):
    """The steps of trajectories."""

    limit = 16

    def __init__(self, previews: Previews) -> None:
        super().__init__()
        self.make = lambda: StepIndex(previews)


def outline(index: StepIndex) -> dict[str, Any]:
    """The facts of all steps, by column."""
    names = ("at", "seconds", "tokens_in", "tokens_out", "cost", "status")
    columns = {name: [getattr(step, name) for step in index.steps] for name in names}
    remaining = OUTLINE_CHARACTERS // max(1, len(index.steps))
    titles = [step.title if remaining >= TITLE else step.title[:remaining] for step in index.steps]
    is_cut = len(index.steps) >= MAX_STEPS
    return {"total": len(index.steps), **columns, "title": titles, "truncated": is_cut}


def read_steps(
    descriptor: int, index: StepIndex, host: Path, first: int, count: int
) -> dict[str, Any]:
    """Steps with their new messages; fewer than `count` if the page would become too large."""
    before = min(first, LOOK_BACK)
    steps = index.steps[first - before : first + min(count, MAX_PAGE)]
    with opened_folder(host) as folder:
        facts = {"steps": [astuple(step) for step in steps], "first": first, "skipped": before}
        shown = index.previews.ask(
            "messages", facts, [descriptor, folder], readable=[str(host / "trajectory")]
        )
    return {"total": len(index.steps), "steps": shown}
