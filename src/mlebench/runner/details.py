"""What is happening inside a run, from the files that its processes append to.

Agents write some of these files. Only their ends are read, and nothing in them is trusted.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Generic

from mlebench.records.activity import VALIDATIONS
from mlebench.records.budget import BUDGET_LOG, Listed
from mlebench.records.codec import Entry, LineFormat
from mlebench.records.folders import RunFolder
from mlebench.records.run import RunRecord
from mlebench.runner.plan import PlannedGroup

MAX_STEP_BYTES = 4 << 20
TAIL_BYTES = 4096
NANO_PER_DOLLAR = 1e9


@dataclass(frozen=True)
class RunDetails:
    """The progress of a run within its current step."""

    elapsed_seconds: float | None = None
    validations: int = 0
    last_valid_seconds: float | None = None
    """When validation last accepted a submission, in seconds since the start."""

    calls: int = 0
    dollars: float = 0.0
    """Spent and reserved for model calls; 0 where the price is unknown."""

    last_log_line: str = ""


class FollowedFile(Generic[Entry]):
    """New entries of a file that grows, each time it is asked for them."""

    def __init__(self, path: Path, lines: LineFormat[Entry]) -> None:
        self._path = path
        self._lines = lines
        self._offset = 0

    def new_entries(self) -> Iterator[Entry]:
        """Entries since the last call; a line that is not complete waits for the next one."""
        try:
            with self._path.open("rb") as stream:
                stream.seek(self._offset)
                data = stream.read(MAX_STEP_BYTES)
        except OSError:
            return
        complete = data[: data.rfind(b"\n") + 1]
        self._offset += len(complete)
        yield from self._lines.decode(complete)


class GroupDetails:
    """Follows validations, model calls and logs of a group's active runs."""

    def __init__(self, group: PlannedGroup) -> None:
        self._group = group
        self._budget = FollowedFile(group.budget, BUDGET_LOG)
        self._reserved: dict[str, tuple[str, Listed]] = {}
        self._spent: defaultdict[str, tuple[int, int]] = defaultdict(lambda: (0, 0))
        self._validations: dict[tuple[str, int], _Validations] = {}

    def refresh(self) -> None:
        """Read what was appended to the budget log."""
        for entry in self._budget.new_entries():
            if entry.reserve is not None:
                self._reserved[entry.id] = (entry.run, entry.reserve)
                self._book(entry.run, entry.reserve, 1)
            elif entry.settle is not None and entry.id in self._reserved:
                run, reserved = self._reserved.pop(entry.id)
                self._book(run, reserved, -1)
                self._book(run, entry.settle, 1)

    @property
    def dollars(self) -> float:
        """Spent and reserved by all runs of the group."""
        return sum(nano for nano, _ in self._spent.values()) / NANO_PER_DOLLAR

    def of(self, record: RunRecord) -> RunDetails:
        """The details of one run."""
        folder = self._group.run(record.run_id)
        key = (record.run_id, record.attempt)
        validations = self._validations.setdefault(key, _Validations(folder))
        validations.refresh()
        nano, calls = self._spent[record.run_id]
        return RunDetails(
            elapsed_seconds=_elapsed(record),
            validations=validations.count,
            last_valid_seconds=validations.last_valid_seconds,
            calls=calls,
            dollars=nano / NANO_PER_DOLLAR,
            last_log_line=last_lines(folder.agent_log, 1),
        )

    def _book(self, run: str, amount: Listed, sign: int) -> None:
        _, nano, calls = amount
        before = self._spent[run]
        self._spent[run] = (before[0] + sign * nano, before[1] + sign * calls)


class _Validations:
    """The validations of one attempt so far."""

    def __init__(self, folder: RunFolder) -> None:
        self._file = FollowedFile(folder.validations, VALIDATIONS)
        self.count = 0
        self.last_valid_seconds: float | None = None

    def refresh(self) -> None:
        for call in self._file.new_entries():
            self.count += 1
            if call.valid:
                self.last_valid_seconds = call.elapsed


def last_lines(path: Path, count: int) -> str:
    """The last lines of a log that are not empty; of a progress bar its last state."""
    try:
        with path.open("rb") as stream:
            stream.seek(max(0, os.fstat(stream.fileno()).st_size - TAIL_BYTES))
            text = stream.read(TAIL_BYTES).decode("utf-8", "replace")
    except OSError:
        return ""
    lines = (line.rstrip().rsplit("\r", 1)[-1].rstrip() for line in text.split("\n"))
    return "\n".join([line for line in lines if line][-count:])


def _elapsed(record: RunRecord) -> float | None:
    if record.seconds is not None:
        return float(record.seconds)
    if record.started_at is None or record.state == "planned":
        return None
    started = datetime.fromisoformat(record.started_at)
    return max(0.0, (datetime.now(UTC) - started).total_seconds())
