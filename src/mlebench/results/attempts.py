"""Collect attempts from run groups and from grading reports, ours or published ones."""

from __future__ import annotations

import json
import os
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from itertools import count
from pathlib import Path
from typing import Any, TypeVar

from mlebench.errors import DataError, RevisionError, UsageError
from mlebench.records.codec import to_json
from mlebench.records.folders import GroupFolder, RunFolder
from mlebench.records.group import GroupRecord, read_group
from mlebench.records.integrity import IntegrityRecord, read_integrity
from mlebench.records.report import CompetitionReport, read_grading_report, read_report
from mlebench.records.run import ModelTotals, RunRecord, read_run
from mlebench.results.identity import distinct_names, identity_of
from mlebench.version import REVISION

Item = TypeVar("Item")
Key = TypeVar("Key", bound=Hashable)
Seeds = defaultdict[tuple[Hashable, str], "count[int]"]
"""Counts the attempts of each agent and revision at each competition."""


@dataclass(frozen=True)
class Conditions:
    """Facts that must be equal for attempts to be averaged; None where a source has no record."""

    revision: str | None = None
    is_rehearsal: bool | None = None
    is_demonstration: bool | None = None
    isolation: str | None = None
    hours: float | None = None
    limits: str | None = None
    """JSON of the group's limits."""

    network: str | None = None
    names: str | None = None
    """Names of files and columns: `original`, or `L2` and `L3`, whose scores are not comparable."""


@dataclass(frozen=True)
class Attempt:
    """One agent at one competition with one seed, graded or failed."""

    competition_id: str
    seed: int
    """Number of the attempt among the agent's attempts at this competition, in source order."""

    agent: str
    source: str
    report: CompetitionReport | None = None
    run: RunRecord | None = None
    folder: RunFolder | None = None
    conditions: Conditions = Conditions()
    problem: str | None = None
    """Why there is no report."""

    group: GroupRecord | None = None
    """The plan that the run belongs to."""

    integrity: IntegrityRecord | None = None
    """What `mlebench integrity` found; None for a run that was not checked."""

    def has(self, measure: str) -> bool:
        """The value of a boolean field of the report; False without a report."""
        return bool(self.report and getattr(self.report, measure))

    @property
    def is_disqualified(self) -> bool:
        return self.integrity is not None and self.integrity.result == "disqualified"

    @property
    def uses_leak(self) -> bool:
        """Whether it has a finding, not dismissed, that a known leak was used."""
        found = self.integrity.findings if self.integrity else ()
        return any(one.check == "I7" and one.status != "dismissed" for one in found)

    @property
    def data(self) -> str | None:
        """What was graded: `real`, `synthetic` (a rehearsal) or `demonstration` data."""
        if self.report is None:
            return None
        if self.report.is_rehearsal:
            return "synthetic"
        return "demonstration" if self.report.is_demonstration else "real"

    @property
    def score(self) -> float | None:
        return self.report.score if self.report else None

    @property
    def medal(self) -> str | None:
        return self.report.medal if self.report else None

    @property
    def hours(self) -> float | None:
        if self.run is None or self.run.seconds is None:
            return None
        return self.run.seconds / 3600

    @property
    def model(self) -> ModelTotals | None:
        return self.run.model if self.run else None


def grouped(items: Iterable[Item], key: Callable[[Item], Key]) -> dict[Key, list[Item]]:
    """The items of each key, both in order of occurrence."""
    found: dict[Key, list[Item]] = {}
    for item in items:
        found.setdefault(key(item), []).append(item)
    return found


def by_agent(attempts: Iterable[Attempt]) -> dict[str, list[Attempt]]:
    return grouped(attempts, lambda attempt: attempt.agent)


def by_competition(attempts: Iterable[Attempt]) -> dict[str, list[Attempt]]:
    return grouped(attempts, lambda attempt: attempt.competition_id)


def plans_of(attempts: Iterable[Attempt]) -> list[GroupRecord]:
    """The plan of every group, once."""
    return list({id(a.group): a.group for a in attempts if a.group}.values())


@dataclass(frozen=True)
class _Recorded:
    """The fields of an attempt that are read from the folder of its run."""

    folder: RunFolder
    run: RunRecord | None = None
    report: CompetitionReport | None = None
    integrity: IntegrityRecord | None = None
    conditions: Conditions = Conditions()
    problem: str | None = None


ReadRun = Callable[[str, Conditions], _Recorded]
"""Reads the run in a folder; the conditions are those of its plan."""


def load_attempts(
    sources: Sequence[Path], *, read: ReadRun = lambda path, plan: _read_run(path, plan)
) -> list[Attempt]:
    """All attempts in source order; the k-th of an agent at a competition is its seed k.

    Each revision has its own seeds.

    Args:
        read: a `RunMemory` for repeated calls.

    Raises:
        UsageError: the sources contain no attempt.
        DataError: a report or the plan of a group is damaged.
    """
    found = list(_all_attempts(sources, defaultdict(count), read))
    if not found:
        raise UsageError(f"no reports found in {', '.join(map(str, sources))}")
    return with_unique_names(found)


def with_unique_names(attempts: list[Attempt]) -> list[Attempt]:
    """Add version, model or digest to the names of different agents that share a name."""
    identities = {id(plan): identity_of(plan) for plan in plans_of(attempts)}
    names = distinct_names(identities.values())
    wanted = {key: names[identity] for key, identity in identities.items()}
    return [
        replace(attempt, agent=name)
        if (name := wanted.get(id(attempt.group), attempt.agent)) != attempt.agent
        else attempt
        for attempt in attempts
    ]


def _all_attempts(sources: Iterable[Path], seeds: Seeds, read: ReadRun) -> Iterator[Attempt]:
    for source in sources:
        if (source / "metadata.json").is_file():
            yield from _read_group_attempts(GroupFolder(source), seeds, read)
        elif source.is_dir():
            groups = sorted(file.parent for file in source.glob("*/metadata.json"))
            reports = sorted(source.glob("*grading_report*.json"))
            if not groups and not reports:
                raise UsageError(f"{source} contains neither run groups nor grading reports")
            yield from _all_attempts([*groups, *reports], seeds, read)
        else:
            graded = read_grading_report(source)
            for report in graded.competition_reports:
                name, conditions = report.competition_id, _as_reported(Conditions(), report)
                seed = next(seeds[(graded.agent, conditions.revision), name])
                yield Attempt(name, seed, graded.agent, str(source), report, conditions=conditions)


def _read_group_attempts(group: GroupFolder, seeds: Seeds, read: ReadRun) -> Iterator[Attempt]:
    """The runs of a group; damaged and unfinished ones are attempts without a report."""
    plan = read_group(group.metadata)
    source, identity = str(group.path), identity_of(plan)
    conditions = planned_conditions(plan)
    for planned in plan.runs:
        found = read(f"{source}/{planned.run_id}", conditions)
        yield Attempt(
            competition_id=planned.competition_id,
            seed=next(seeds[(identity, conditions.revision), planned.competition_id]),
            agent=plan.agent_label,
            source=source,
            group=plan,
            **vars(found),
        )


def _read_run(path: str, planned: Conditions) -> _Recorded:
    # Strings, because making a `Path` takes as long as reading a small file.
    run = integrity = None
    folder, conditions = RunFolder(Path(path)), Conditions()
    try:
        run = read_run(f"{path}/run.json")
        integrity = read_integrity(f"{path}/host/integrity.json")
        conditions = _as_run(planned, run)
        if run.state != "finished":
            problem = run.reason or f"the run is {run.state}"
            return _Recorded(folder, run, None, integrity, conditions, problem)
        report = read_report(f"{path}/host/report.json")
        return _Recorded(folder, run, report, integrity, _as_reported(conditions, report))
    except DataError as error:
        return _Recorded(folder, run, None, integrity, conditions, str(error))


class RunMemory:
    """Reads runs and keeps them; a run is read again when a file of its record is replaced."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[object, _Recorded]] = {}

    def __call__(self, path: str, planned: Conditions) -> _Recorded:
        mark = (_mark(f"{path}/run.json"), _mark(f"{path}/host"), planned)
        known = self._known.get(path)
        if known is None or known[0] != mark:
            known = self._known[path] = (mark, _read_run(path, planned))
        return known[1]


def _mark(path: str) -> tuple[int, int, int]:
    try:
        found = os.stat(path)  # noqa: PTH116 - for ten thousand runs a `Path` is too slow
    except OSError:
        return (0, 0, 0)
    return found.st_mtime_ns, found.st_ino, found.st_size


def planned_conditions(plan: GroupRecord) -> Conditions:
    """The conditions that the plan of a group records."""
    settings = plan.settings
    return Conditions(
        revision=settings.revision,
        is_rehearsal=settings.is_rehearsal,
        hours=settings.hours,
        limits=json.dumps(to_json(settings.limits), sort_keys=True),
        network=settings.network,
        names=level if (level := settings.obfuscation_level) in ("L2", "L3") else "original",
    )


def _as_run(planned: Conditions, run: RunRecord) -> Conditions:
    """Add what the sandbox reported; its fields may have any type."""
    isolation, network = run.sandbox.get("isolation"), run.sandbox.get("network", planned.network)
    return _changed(
        planned,
        isolation=None if isolation is None else str(isolation),
        network=None if network is None else str(network),
    )


def _as_reported(known: Conditions, report: CompetitionReport) -> Conditions:
    return _changed(
        known,
        revision=report.revision,
        is_rehearsal=report.is_rehearsal,
        is_demonstration=report.is_demonstration,
    )


@lru_cache(1000)
def _changed(conditions: Conditions, **changes: Any) -> Conditions:
    """Runs of a group differ in few ways, so most of them share one object."""
    return replace(conditions, **changes)


def differences(conditions: Iterable[Conditions]) -> dict[str, list[str]]:
    """The conditions that are not equal, each with the values found."""
    found = set(conditions)
    values = {
        condition.name: {
            value for one in found if (value := getattr(one, condition.name)) is not None
        }
        for condition in fields(Conditions)
    }
    return {name: sorted(map(str, seen)) for name, seen in values.items() if len(seen) > 1}


def require_comparable(attempts: Sequence[Attempt], *, allow_mixed: bool = False) -> None:
    """Raise UsageError if the attempts differ in revision, data, limits or isolation.

    Args:
        allow_mixed: only a different revision is refused.
    """
    differing = differences(attempt.conditions for attempt in attempts)
    if differing and ("revision" in differing or not allow_mixed):
        name, found = next(iter(differing.items()))
        mix = "add --allow-mixed: every page then shows a warning"
        raise UsageError(
            f"the reports differ in {', '.join(differing)} ({name}: {' and '.join(found[:3])})"
            " and are not averaged",
            hint="report them separately" + ("" if "revision" in differing else f", or {mix}"),
        )


def of_revision(attempts: Sequence[Attempt], stated: str | None) -> list[Attempt]:
    """The attempts of the stated revision; all if none is stated.

    Raises:
        RevisionError: there are none.
    """
    if stated is None:
        return list(attempts)
    named = [attempt.conditions.revision or REVISION for attempt in attempts]
    if attempts and stated not in named:
        other = " and ".join(sorted(set(named)))
        raise RevisionError(f"the results are of revision {other}, not {stated}")
    return [a for a, revision in zip(attempts, named, strict=True) if revision == stated]


def find_equal_submissions(attempts: Iterable[Attempt]) -> list[list[Attempt]]:
    """Attempts at one competition with byte-identical submissions."""
    found = grouped(attempts, lambda a: (a.competition_id, a.report and a.report.submission_sha256))
    return [same for (_, digest), same in found.items() if digest and len(same) > 1]
