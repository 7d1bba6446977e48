"""Performance over time: copies of a submission that were kept during a run, graded afterwards.

The grades of a run are stored in its `host/progress.json`. They are for reports only: the copies
are graded after the run has ended, and its result is always that of the sealed submission.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from mlebench.errors import DataError
from mlebench.grading.pool import GradingPool, Submission
from mlebench.records.folders import RunFolder
from mlebench.records.measures import Grade, Progress, read_progress, write_progress
from mlebench.records.report import CompetitionReport
from mlebench.records.run import RunRecord
from mlebench.results.activity import find_copies, read_spending_over_time
from mlebench.results.aggregate import revision_of
from mlebench.results.attempts import Attempt

if TYPE_CHECKING:
    from mlebench.catalogue import Catalogue

RESOURCES = ("hours", "cost", "tokens", "cpu_hours")


@dataclass(frozen=True)
class Course:
    """The grades of one run in chronological order."""

    competition_id: str
    agent: str
    is_lower_better: bool
    grades: tuple[Grade, ...]

    def at(self, limit: float, resource: str = "hours") -> Grade | None:
        """The current submission when `limit` hours, dollars, tokens or CPU hours were spent."""
        place = bisect_right(self.grades, limit + 1e-9, key=lambda grade: _used(grade, resource))
        return self.grades[place - 1] if place else None

    def best_until(self, limit: float, resource: str = "hours") -> Grade | None:
        """The valid submission with the best score until then."""
        valid = [
            (grade.score, grade)
            for grade in self.grades
            if grade.score is not None and _used(grade, resource) <= limit + 1e-9
        ]
        sign = 1 if self.is_lower_better else -1
        return min(valid, key=lambda pair: sign * pair[0], default=(None, None))[1]


def _used(grade: Grade, resource: str) -> float:
    return float(getattr(grade, resource) or 0)


def grade_over_time(
    attempts: Sequence[Attempt],
    catalogue: Catalogue,
    *,
    jobs: int = 1,
    on_done: Callable[[int, int, str | None], None] = lambda done, total, problem: None,
) -> list[Course]:
    """The courses of all attempts with copies; copies that were graded before are not graded again.

    Args:
        on_done: called after each run with its number, the total, and why it was not graded.
    """
    waiting = [
        (a.folder, a.run, a.report)
        for a in attempts
        if a.folder and a.run and a.report and find_copies(a.folder) and read_course(a) is None
    ]
    if waiting:
        with GradingPool(replace(catalogue, revision=revision_of(attempts)), jobs=jobs) as pool:
            for number, records in enumerate(waiting, 1):
                on_done(number, len(waiting), _grade_copies(*records, pool))
    return read_courses(attempts)


def read_courses(attempts: Iterable[Attempt]) -> list[Course]:
    """The courses that are stored already."""
    return [course for attempt in attempts if (course := read_course(attempt)) is not None]


def read_course(attempt: Attempt) -> Course | None:
    """The stored course of an attempt; None if there is none or the copies have changed since."""
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


def _fingerprint(folder: RunFolder) -> dict[str, int]:
    """Names and sizes of the copies; a copy is never overwritten."""
    found = {file.name: file.stat().st_size for file in folder.snapshots.iterdir()}
    return dict(sorted(found.items()))


def _grade_copies(
    folder: RunFolder, run: RunRecord, report: CompetitionReport, pool: GradingPool
) -> str | None:
    """Grade each copy, add the final submission and store the grades, or return why that failed."""
    files = find_copies(folder)
    results = list(
        pool.grade_all([Submission(report.competition_id, file, folder.renaming) for file in files])
    )
    if problem := next((result.error for result in results if result.error), None):
        return problem
    graded = [
        (float(file.stem), result.report) for file, result in zip(files, results, strict=True)
    ]
    graded.append((graded[-1][0] if run.seconds is None else run.seconds, report))
    used = read_spending_over_time(folder, run)
    grades = tuple(
        Grade(seconds / 3600, one.score, one.medal, one.above_median, **used(seconds))
        for seconds, one in graded
        if one is not None
    )
    write_progress(Progress(copies=_fingerprint(folder), grades=grades), folder)
    return None


def marks(most: float, first: float = 1.0) -> list[float]:
    """`first` and its doubles up to `most`; fractions of `most` where it is small."""
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
    """Percentages of runs after each amount, by the best copy so far and by the current copy."""

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
    """The number of runs, and the shares over every resource that has a record."""
    found: dict[str, Any] = {"runs": len(courses)}
    for resource in RESOURCES:
        most = max((_used(g, resource) for course in courses for g in course.grades), default=0.0)
        if limits := marks(most, 1.0 if resource == "hours" else most / 32):
            found[resource] = {"after": limits, **shares_over(courses, limits, resource)}
    return found
