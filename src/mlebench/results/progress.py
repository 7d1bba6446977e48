"""Performance over time: the copies of a submission that were kept during a run, graded afterwards.

A run's grades are stored in its `host/progress.json` and made once. They are for reports only:
a run is over before its copies are graded, and its own result stays the one of the sealed file.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mlebench.errors import DataError
from mlebench.grading.pool import GradingPool, GradingResult, Submission
from mlebench.records.folders import RunFolder
from mlebench.records.measures import Grade, Progress, read_progress, write_progress
from mlebench.results.activity import read_spending_over_time
from mlebench.results.attempts import Attempt

if TYPE_CHECKING:
    from mlebench.catalogue import Catalogue

RESOURCES = ("hours", "cost", "tokens", "cpu_hours")


@dataclass(frozen=True)
class Course:
    """The grades of one run in the order of time."""

    competition_id: str
    agent: str
    is_lower_better: bool
    grades: tuple[Grade, ...]

    def at(self, limit: float, resource: str = "hours") -> Grade | None:
        """The submission at the time so much had been used."""
        used = [float(getattr(grade, resource) or 0) for grade in self.grades]
        place = bisect_right(used, limit + 1e-9)
        return self.grades[place - 1] if place else None

    def best_until(self, limit: float, resource: str = "hours") -> Grade | None:
        """The best valid one up to then, by the score that it had."""
        valid = [
            grade
            for grade in self.grades
            if grade.score is not None and float(getattr(grade, resource) or 0) <= limit + 1e-9
        ]
        sign = 1 if self.is_lower_better else -1
        return min(valid, key=lambda grade: sign * (grade.score or 0.0), default=None)


def grade_over_time(
    attempts: Sequence[Attempt],
    catalogue: Catalogue,
    *,
    jobs: int = 1,
    on_done: Callable[[int, int, str | None], None] = lambda done, total, problem: None,
) -> list[Course]:
    """The courses of all attempts that kept copies; what was graded before is read.

    Args:
        on_done: called after each run with its number, the count, and why it was not graded.
    """
    waiting = [a for a in attempts if _copies(a) and read_course(a) is None]
    if waiting:
        with GradingPool(catalogue, jobs=jobs) as pool:
            for number, attempt in enumerate(waiting, 1):
                on_done(number, len(waiting), _grade_copies(attempt, pool))
    return read_courses(attempts)


def read_courses(attempts: Iterable[Attempt]) -> list[Course]:
    """The courses that are there already."""
    return [course for attempt in attempts if (course := read_course(attempt)) is not None]


def read_course(attempt: Attempt) -> Course | None:
    """The course of an attempt, unless it was never graded or the copies are others now."""
    if attempt.folder is None or attempt.report is None:
        return None
    try:
        kept = read_progress(attempt.folder)
        if kept is None or kept.copies != _fingerprint(attempt.folder):
            return None
    except (OSError, DataError):
        return None
    return Course(
        attempt.competition_id, attempt.agent, attempt.report.is_lower_better, kept.grades
    )


def _copies(attempt: Attempt) -> list[Path]:
    """Copies in the order of time, of runs that are over and graded."""
    if attempt.folder is None or attempt.report is None or attempt.run is None:
        return []
    try:
        files = [f for f in attempt.folder.snapshots.iterdir() if f.stem.isdigit()]
    except OSError:
        return []
    return sorted((f for f in files if f.suffix == ".csv"), key=lambda file: int(file.stem))


def _fingerprint(folder: RunFolder) -> dict[str, int]:
    """Names and sizes of the copies; they are written once."""
    found = {file.name: file.stat().st_size for file in folder.snapshots.iterdir()}
    return dict(sorted(found.items()))


def _grade_copies(attempt: Attempt, pool: GradingPool) -> str | None:
    """Grade each, add the final submission, and keep the result; else say why nothing is kept."""
    folder, run, report = attempt.folder, attempt.run, attempt.report
    if folder is None or run is None or report is None:
        return "it was not graded itself"
    files = _copies(attempt)
    results = list(pool.grade_all([Submission(attempt.competition_id, file) for file in files]))
    if problem := next((result.error for result in results if result.error), None):
        return problem
    used = read_spending_over_time(folder, run)
    grades = [
        _grade(result, int(file.stem), used) for file, result in zip(files, results, strict=True)
    ]
    last = run.seconds if run.seconds is not None else (grades[-1].hours * 3600)
    grades.append(Grade(last / 3600, report.score, report.medal, report.above_median, **used(last)))
    write_progress(Progress(copies=_fingerprint(folder), grades=tuple(grades)), folder)
    return None


def _grade(
    result: GradingResult, seconds: int, used: Callable[[float], Mapping[str, Any]]
) -> Grade:
    report = result.report
    if report is None:
        return Grade(seconds / 3600, None, None)
    return Grade(seconds / 3600, report.score, report.medal, report.above_median, **used(seconds))


def marks(most: float, first: float = 1.0) -> list[float]:
    """1, 2, 4 … up to the most; parts of it where it is small."""
    if most <= 0:
        return []
    if most < 2 * first:
        return [most / 8, most / 4, most / 2, most]
    found = [first]
    while found[-1] * 2 < most:
        found.append(found[-1] * 2)
    return [*found, most]


def shares_over(
    courses: Sequence[Course], limits: Sequence[float], resource: str = "hours"
) -> dict[str, list[float]]:
    """Percentages of runs after each amount: of the best so far, and of the copy at that time."""

    def share(found: Iterable[Grade | None], holds: Callable[[Grade], bool]) -> float:
        return 100 * sum(grade is not None and holds(grade) for grade in found) / len(courses)

    best = [[course.best_until(limit, resource) for course in courses] for limit in limits]
    last = [[course.at(limit, resource) for course in courses] for limit in limits]
    return {
        "valid submission": [share(found, lambda grade: grade.is_valid) for found in last],
        "any medal, best so far": [share(found, lambda g: g.medal is not None) for found in best],
        "any medal, as it was": [share(found, lambda g: g.medal is not None) for found in last],
    }


def progress_figures(courses: Sequence[Course]) -> dict[str, Any]:
    """For machines: the shares over every resource that is known, with the count of runs."""
    found: dict[str, Any] = {"runs": len(courses)}
    for resource in RESOURCES:
        most = max(
            (float(getattr(g, resource) or 0) for course in courses for g in course.grades),
            default=0.0,
        )
        limits = marks(most, 1.0 if resource == "hours" else most / 32)
        if limits:
            found[resource] = {"after": limits, **shares_over(courses, limits, resource)}
    return found
