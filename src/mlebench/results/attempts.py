"""Collecting graded attempts from run groups and from grading reports, ours or published ones."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from mlebench.errors import BenchError, DataError, UsageError
from mlebench.grading.report import CompetitionReport
from mlebench.runner.records import GroupRecord, RunRecord, read_group, read_run
from mlebench.storage import GroupFolder, RunFolder

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

    def has(self, measure: str) -> bool:
        """A yes/no field of the report; an attempt without one has nothing."""
        return bool(self.report and getattr(self.report, measure))

    @property
    def score(self) -> float | None:
        return self.report.score if self.report else None

    @property
    def medal(self) -> str | None:
        return self.report.medal if self.report else None


def load_attempts(sources: Sequence[Path]) -> list[Attempt]:
    """All attempts, in the order of the sources; the k-th of a competition is its seed k."""
    seen: Counter[tuple[str, str]] = Counter()
    found = []
    for attempt in _all_attempts(sources):
        key = (attempt.agent, attempt.competition_id)
        found.append(replace(attempt, seed=seen[key]))
        seen[key] += 1
    if not found:
        raise UsageError(f"no reports found in {', '.join(map(str, sources))}")
    return found


def _all_attempts(sources: Iterable[Path]) -> Iterator[Attempt]:
    for source in sources:
        if (source / "metadata.json").is_file():
            yield from read_group_attempts(GroupFolder(source))
        elif source.is_dir():
            groups = sorted(file.parent for file in source.glob("*/metadata.json"))
            reports = sorted(source.glob("*grading_report*.json"))
            if not groups and not reports:
                raise UsageError(f"{source} holds neither run groups nor grading reports")
            yield from _all_attempts([*groups, *reports])
        else:
            yield from read_grading_report(source)


def read_grading_report(path: Path) -> Iterator[Attempt]:
    """The reports of a grading report file; `runs/<agent>_group1/…json` names the agent."""
    try:
        data = json.loads(path.read_text("utf-8"))
        reports = data["competition_reports"]
    except FileNotFoundError:
        raise UsageError(f"{path} does not exist") from None
    except (ValueError, KeyError, TypeError):
        raise DataError(f"{path} is not a grading report") from None
    for entry in reports:
        try:
            report = CompetitionReport.from_dict(entry)
        except (KeyError, TypeError, ValueError) as error:
            raise DataError(f"{path} has a damaged report: {error}") from None
        yield Attempt(
            report.competition_id,
            0,
            agent=str(data.get("agent", "agent")),
            source=str(path),
            report=report,
            facts=_report_facts(entry),
        )


def read_group_attempts(group: GroupFolder) -> Iterator[Attempt]:
    """The runs of a group; damaged and unfinished ones count as attempts without a report."""
    plan = read_group(group.metadata)
    for planned in plan.runs:
        folder = group.run(planned.run_id)
        try:
            run = read_run(folder.state)
        except BenchError as error:
            yield _failed(plan, planned.competition_id, folder, None, str(error))
            continue
        if run.state != "finished":
            reason = run.reason or f"the run is {run.state}"
            yield _failed(plan, run.competition_id, folder, run, reason)
            continue
        try:
            entry = json.loads(folder.report.read_text("utf-8"))
            report = CompetitionReport.from_dict(entry)
        except (OSError, ValueError, KeyError, TypeError) as error:
            yield _failed(plan, run.competition_id, folder, run, f"its report is damaged: {error}")
            continue
        facts = _report_facts(entry) | _run_facts(plan, run)
        yield Attempt(
            run.competition_id, 0, plan.agent, str(group.path), report, run, folder, facts
        )


def _failed(
    plan: GroupRecord, competition_id: str, folder: RunFolder, run: RunRecord | None, reason: str
) -> Attempt:
    facts = _run_facts(plan, run) if run else {}
    source = str(folder.path.parent)
    return Attempt(competition_id, 0, plan.agent, source, None, run, folder, facts, reason)


def _report_facts(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {name: entry[name] for name in COMPARED if name in entry}


def _run_facts(plan: GroupRecord, run: RunRecord) -> dict[str, Any]:
    settings = plan.settings
    return {
        "hours": settings.hours,
        "limits": json.dumps(dict(settings.limits), sort_keys=True),
        "isolation": run.sandbox.get("isolation"),
        "network": run.sandbox.get("network", settings.network),
        "is_rehearsal": settings.is_rehearsal,
        "revision": settings.revision,
    }


def differences(attempts: Iterable[Attempt]) -> dict[str, list[str]]:
    """Facts in which attempts differ that must not be averaged, with the values found."""
    values: dict[str, set[str]] = {name: set() for name in COMPARED}
    for attempt in attempts:
        for name, value in attempt.facts.items():
            if value is not None and name in values:
                values[name].add(str(value))
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
