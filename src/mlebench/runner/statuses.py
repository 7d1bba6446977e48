"""The states of a group's runs: read once, or repeatedly for a live display."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from mlebench.errors import DataError
from mlebench.records.folders import GroupFolder
from mlebench.records.group import PlannedRun
from mlebench.records.run import ACTIVE, RunRecord, read_run
from mlebench.runner.lease import has_living_worker
from mlebench.runner.plan import PlannedGroup

LOOK_SECONDS = 1.0
SHARE = 20
"""Looking takes at most a twentieth of the time, however many runs there are."""


@dataclass(frozen=True)
class RunStatus:
    """A planned run with its record, or with the sentence that says why that cannot be read."""

    planned: PlannedRun
    record: RunRecord | None = None
    problem: str | None = None
    has_worker: bool = True
    """False for a run that was started and whose worker is gone: `resume` starts it again."""

    @property
    def state(self) -> str:
        """As in `run.json`, or `stopped` without a worker, or `damaged`."""
        if self.record is None:
            return "damaged"
        return self.record.state if self.has_worker else "stopped"

    @property
    def is_final(self) -> bool:
        """Whether the run is over; a damaged one is not."""
        return self.record is not None and self.record.is_final

    @property
    def is_open(self) -> bool:
        """Whether the run has yet to end; a damaged one never will."""
        return self.record is not None and not self.record.is_final


def read_status(group: GroupFolder, planned: PlannedRun) -> RunStatus:
    """The status of one run."""
    folder = group.run(planned.run_id)
    try:
        record = read_run(folder.state)
    except DataError as error:
        return RunStatus(planned, problem=str(error))
    has_worker = record.state not in ACTIVE or has_living_worker(folder)
    return RunStatus(planned, record, has_worker=has_worker)


def read_runs(group: PlannedGroup) -> Iterator[RunStatus]:
    """The status of every run of a group, in the order of the plan."""
    return (read_status(group, planned) for planned in group.plan.runs)


def read_records(group: PlannedGroup) -> list[RunRecord]:
    """The records of all runs that can be read."""
    return [run.record for run in read_runs(group) if run.record]


def unfinished(group: PlannedGroup, among: Collection[str] | None = None) -> Iterator[str]:
    """Runs that are not over, each read when it is requested; damaged ones are skipped.

    Args:
        among: run ids; the others are known to be over and are not read.
    """
    for planned in group.plan.runs:
        if among is not None and planned.run_id not in among:
            continue
        if read_status(group, planned).is_open:
            yield planned.run_id


def count_states(runs: Iterable[RunStatus]) -> Counter[str]:
    """How many runs are in each state; damaged ones too."""
    return Counter(run.state for run in runs)


class GroupWatch:
    """Follows a group while it is worked on.

    A record is read again only when its file was replaced, and never after the run is over, so
    that waiting for a group of ten thousand runs costs little.

    Args:
        known: all runs, if they were just read.
    """

    def __init__(self, group: PlannedGroup, known: Iterable[RunStatus] = ()) -> None:
        self.group = group
        self._runs = {run.run_id: RunStatus(run) for run in group.plan.runs}
        self._runs |= {run.planned.run_id: run for run in known}
        self._open = {
            run_id: group.run(run_id).state
            for run_id, run in self._runs.items()
            if not run.is_final
        }
        self._marks: dict[str, tuple[int, int]] = {}
        self._next_look = 0.0

    @property
    def runs(self) -> list[RunStatus]:
        """All runs as they were at the last look."""
        return list(self._runs.values())

    def refresh(self, *, is_forced: bool = False) -> list[RunStatus]:
        """Look again, unless that was done a moment ago; returns the runs that changed."""
        start = time.monotonic()
        if start < self._next_look and not is_forced:
            return []
        changed = [status for run_id in list(self._open) if (status := self._look(run_id))]
        end = time.monotonic()
        self._next_look = end + max(LOOK_SECONDS, SHARE * (end - start))
        return changed

    def _look(self, run_id: str) -> RunStatus | None:
        try:
            found = self._open[run_id].stat()
            mark = (found.st_mtime_ns, found.st_ino)
        except OSError:
            mark = (0, 0)
        if self._marks.get(run_id) == mark and not self._lost_its_worker(run_id):
            return None
        self._marks[run_id] = mark
        status = read_status(self.group, self._runs[run_id].planned)
        self._runs[run_id] = status
        if status.is_final:
            del self._open[run_id]
        return status

    def _lost_its_worker(self, run_id: str) -> bool:
        status = self._runs[run_id]
        is_active = status.record is not None and status.record.state in ACTIVE
        return is_active and status.has_worker and not has_living_worker(self.group.run(run_id))
