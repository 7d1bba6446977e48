"""Collecting graded attempts from run groups and from grading reports, ours or published ones."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path

from mlebench.errors import DataError, UsageError
from mlebench.records.codec import to_json
from mlebench.records.folders import GroupFolder, RunFolder
from mlebench.records.group import GroupRecord, read_group
from mlebench.records.report import CompetitionReport, read_grading_report, read_report
from mlebench.records.run import RunRecord, read_run
from mlebench.results.identity import distinct_names, identity_of


@dataclass(frozen=True)
class Conditions:
    """Facts in which attempts must agree to be averaged; None where a source does not tell."""

    revision: str | None = None
    is_rehearsal: bool | None = None
    is_demonstration: bool | None = None
    isolation: str | None = None
    hours: float | None = None
    limits: str | None = None
    """JSON of the group's limits."""

    network: str | None = None


@dataclass(frozen=True)
class Attempt:
    """One agent, one competition, one seed: graded, or failed."""

    competition_id: str
    seed: int
    """Which one of this competition's attempts, in the order of the sources."""

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

    def has(self, measure: str) -> bool:
        """A yes/no field of the report; an attempt without one has nothing."""
        return bool(self.report and getattr(self.report, measure))

    @property
    def score(self) -> float | None:
        return self.report.score if self.report else None

    @property
    def medal(self) -> str | None:
        return self.report.medal if self.report else None


class Seeds:
    """Counts the attempts of each agent at each competition; seeds are of one identity."""

    def __init__(self) -> None:
        self._seen: Counter[tuple[object, str]] = Counter()

    def next(self, agent: object, competition_id: str) -> int:
        key = (agent, competition_id)
        self._seen[key] += 1
        return self._seen[key] - 1


def load_attempts(sources: Sequence[Path]) -> list[Attempt]:
    """All attempts, in the order of the sources; the k-th of a competition is its seed k."""
    found = list(_all_attempts(sources, Seeds()))
    if not found:
        raise UsageError(f"no reports found in {', '.join(map(str, sources))}")
    return _with_unique_names(found)


def _with_unique_names(attempts: list[Attempt]) -> list[Attempt]:
    """Agents that differ although they have one name get names that tell them apart."""
    plans = {id(attempt.group): attempt.group for attempt in attempts if attempt.group}
    identities = {key: identity_of(plan) for key, plan in plans.items()}
    names = distinct_names(identities.values())
    return [
        replace(attempt, agent=names[identities[id(attempt.group)]]) if attempt.group else attempt
        for attempt in attempts
    ]


def _all_attempts(sources: Iterable[Path], seeds: Seeds) -> Iterator[Attempt]:
    for source in sources:
        if (source / "metadata.json").is_file():
            yield from read_group_attempts(GroupFolder(source), seeds)
        elif source.is_dir():
            groups = sorted(file.parent for file in source.glob("*/metadata.json"))
            reports = sorted(source.glob("*grading_report*.json"))
            if not groups and not reports:
                raise UsageError(f"{source} holds neither run groups nor grading reports")
            yield from _all_attempts([*groups, *reports], seeds)
        else:
            yield from read_report_attempts(source, seeds)


def read_report_attempts(path: Path, seeds: Seeds | None = None) -> Iterator[Attempt]:
    """The reports of a grading report file, in its order."""
    seeds = seeds or Seeds()
    graded = read_grading_report(path)
    for report in graded.competition_reports:
        seed = seeds.next(graded.agent, report.competition_id)
        yield Attempt(
            report.competition_id,
            seed,
            graded.agent,
            str(path),
            report,
            conditions=_as_reported(Conditions(), report),
        )


def read_group_attempts(group: GroupFolder, seeds: Seeds | None = None) -> Iterator[Attempt]:
    """The runs of a group; damaged and unfinished ones count as attempts without a report."""
    plan = read_group(group.metadata)
    seeds = seeds or Seeds()
    source = str(group.path)
    planned_for_all = planned_conditions(plan)
    for planned in plan.runs:
        folder = group.run(planned.run_id)
        run, report, problem = None, None, None
        conditions = Conditions()
        try:
            run = read_run(folder.state)
            conditions = _as_run(planned_for_all, run)
            if run.state == "finished":
                report = read_report(folder.report)
                conditions = _as_reported(conditions, report)
            else:
                problem = run.reason or f"the run is {run.state}"
        except DataError as error:
            problem = str(error)
        yield Attempt(
            competition_id=planned.competition_id,
            seed=seeds.next(identity_of(plan), planned.competition_id),
            agent=plan.agent_label,
            source=source,
            report=report,
            run=run,
            folder=folder,
            conditions=conditions,
            problem=problem,
            group=plan,
        )


def planned_conditions(plan: GroupRecord) -> Conditions:
    """As far as the plan of a group tells."""
    settings = plan.settings
    return Conditions(
        revision=settings.revision,
        is_rehearsal=settings.is_rehearsal,
        hours=settings.hours,
        limits=json.dumps(to_json(settings.limits), sort_keys=True),
        network=settings.network,
    )


def _as_run(planned: Conditions, run: RunRecord) -> Conditions:
    """With what the sandbox stated, which may be anything."""
    isolation, network = run.sandbox.get("isolation"), run.sandbox.get("network", planned.network)
    return replace(
        planned,
        isolation=None if isolation is None else str(isolation),
        network=None if network is None else str(network),
    )


def _as_reported(known: Conditions, report: CompetitionReport) -> Conditions:
    return replace(
        known,
        revision=report.revision,
        is_rehearsal=report.is_rehearsal,
        is_demonstration=report.is_demonstration,
    )


def differences(attempts: Iterable[Attempt]) -> dict[str, list[str]]:
    """Conditions in which attempts differ that must not be averaged, with the values found."""
    found = {attempt.conditions for attempt in attempts}
    values = {
        condition.name: {
            value for one in found if (value := getattr(one, condition.name)) is not None
        }
        for condition in fields(Conditions)
    }
    return {name: sorted(map(str, seen)) for name, seen in values.items() if len(seen) > 1}


def require_comparable(attempts: Sequence[Attempt]) -> None:
    """Refuse to average what differs in revision, rehearsal, limits or isolation."""
    differing = differences(attempts)
    if differing:
        name, found = next(iter(differing.items()))
        raise UsageError(
            f"the reports differ in {', '.join(differing)} ({name}: {' and '.join(found[:3])})"
            " and are not averaged",
            hint="report them one by one, or say --allow-mixed and every page will say so",
        )


def find_equal_submissions(attempts: Iterable[Attempt]) -> list[list[Attempt]]:
    """Attempts at the same competition that left the same bytes."""
    grouped: dict[tuple[str, str], list[Attempt]] = {}
    for attempt in attempts:
        if attempt.report and attempt.report.submission_sha256:
            key = (attempt.competition_id, attempt.report.submission_sha256)
            grouped.setdefault(key, []).append(attempt)
    return [found for found in grouped.values() if len(found) > 1]
