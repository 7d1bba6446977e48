"""Collecting graded attempts from run groups and from grading reports, ours or published ones."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mlebench.errors import BenchError, DataError, UsageError
from mlebench.records.folders import GroupFolder, RunFolder
from mlebench.records.report import CompetitionReport
from mlebench.records.runs import GroupRecord, RunRecord, parse_json, read_group, read_run

COMPARED = (
    "revision",
    "is_rehearsal",
    "is_demonstration",
    "isolation",
    "hours",
    "limits",
    "network",
)
"""Facts in which attempts must agree to be averaged; what an old report does not say passes."""


REPORTED = ("revision", "is_rehearsal", "is_demonstration")
"""Those of them that a report states itself."""

DAMAGE = (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError)
"""What reading a file that may hold anything can end in."""

NONE = type(None)
REPORT_KINDS: tuple[tuple[tuple[type, ...], tuple[str, ...]], ...] = (
    ((float, int), tuple(f"{cut}_threshold" for cut in ("gold", "silver", "bronze", "median"))),
    ((float, int, NONE), ("score", "human_rank")),
    ((int, NONE), ("rank", "teams")),
    ((str, NONE), ("reason", "submission_sha256")),
    ((str,), ("competition_id",)),
    (
        (bool,),
        (
            "any_medal",
            "gold_medal",
            "silver_medal",
            "bronze_medal",
            "above_median",
            "submission_exists",
            "valid_submission",
            "is_lower_better",
        ),
    ),
)
"""What a report's fields must be; a file may hold anything."""


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
    facts: Mapping[str, Any] = field(default_factory=dict)
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
    """Counts the attempts of each agent at each competition."""

    def __init__(self) -> None:
        self._seen: Counter[tuple[str, str]] = Counter()

    def next(self, agent: str, competition_id: str) -> int:
        key = (agent, competition_id)
        self._seen[key] += 1
        return self._seen[key] - 1


def load_attempts(sources: Sequence[Path]) -> list[Attempt]:
    """All attempts, in the order of the sources; the k-th of a competition is its seed k."""
    found = list(_all_attempts(sources, Seeds()))
    if not found:
        raise UsageError(f"no reports found in {', '.join(map(str, sources))}")
    return found


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
            yield from read_grading_report(source, seeds)


def read_grading_report(path: Path, seeds: Seeds | None = None) -> Iterator[Attempt]:
    """The reports of a grading report file; `"agent"` in it names the agent."""
    seeds = seeds or Seeds()
    try:
        data = json.loads(path.read_bytes())
        reports = data["competition_reports"]
    except FileNotFoundError:
        raise UsageError(f"{path} does not exist") from None
    except DAMAGE:
        raise DataError(f"{path} is not a grading report") from None
    agent = str(data.get("agent", "agent"))
    for entry in reports:
        try:
            report = _read_report(entry)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise DataError(f"{path} has a damaged report: {error}") from None
        seed = seeds.next(agent, report.competition_id)
        facts = _report_facts(entry)
        yield Attempt(report.competition_id, seed, agent, str(path), report, facts=facts)


def read_group_attempts(group: GroupFolder, seeds: Seeds | None = None) -> Iterator[Attempt]:
    """The runs of a group; damaged and unfinished ones count as attempts without a report."""
    plan = read_group(group.metadata)
    seeds = seeds or Seeds()
    source = str(group.path)
    shared = _group_facts(plan)
    for planned in plan.runs:
        folder = group.run(planned.run_id)
        competition_id = planned.competition_id
        run, report, problem = None, None, None
        facts: dict[str, Any] = {}
        try:
            run = read_run(folder.state)
            facts = shared | _run_facts(plan, run)
            if run.state == "finished":
                entry = parse_json(folder.report.read_bytes())
                report = _read_report(entry)
                facts |= _report_facts(entry)
            else:
                problem = run.reason or f"the run is {run.state}"
        except BenchError as error:
            problem = str(error)
        except DAMAGE as error:
            problem = f"its report is damaged: {error}"
        yield Attempt(
            competition_id,
            seeds.next(plan.agent, competition_id),
            plan.agent,
            source,
            report,
            run,
            folder,
            facts,
            problem,
            plan,
        )


def _read_report(entry: dict[str, Any]) -> CompetitionReport:
    """A report whose fields are of the kinds that they should be."""
    report = CompetitionReport.from_dict(entry)
    values = report.__dict__
    for kinds, names in REPORT_KINDS:
        for name in names:
            if not isinstance(values[name], kinds):
                raise ValueError(f"{name} is of kind {type(values[name]).__name__}")
    if report.score is not None and not math.isfinite(report.score):
        raise ValueError(f"the score is {report.score}")
    return report


def _report_facts(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _plain(entry[name]) for name in REPORTED if name in entry}


def _plain(value: Any) -> Any:
    """A fact as it can be compared, whatever stood in the file."""
    return value if isinstance(value, str | int | float | None) else str(value)


def _group_facts(plan: GroupRecord) -> dict[str, Any]:
    settings = plan.settings
    return {
        "hours": settings.hours,
        "limits": json.dumps(dict(settings.limits), sort_keys=True),
        "is_rehearsal": settings.is_rehearsal,
        "revision": settings.revision,
    }


def _run_facts(plan: GroupRecord, run: RunRecord) -> dict[str, Any]:
    return {
        "isolation": _plain(run.sandbox.get("isolation")),
        "network": _plain(run.sandbox.get("network", plan.settings.network)),
    }


def differences(attempts: Iterable[Attempt]) -> dict[str, list[str]]:
    """Facts in which attempts differ that must not be averaged, with the values found."""
    seen: dict[str, set[Any]] = {name: set() for name in COMPARED}
    for attempt in attempts:
        for name, value in attempt.facts.items():
            if name in seen:
                seen[name].add(value if isinstance(value, str | float) else str(value))
    values = {name: {str(v) for v in found if v != "None"} for name, found in seen.items()}
    return {name: sorted(found) for name, found in values.items() if len(found) > 1}


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
