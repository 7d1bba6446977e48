"""Grading many submissions: each in a child process with time and memory limits.

One bad line, a crash or an endless metric costs its own line and nothing else.
"""

from __future__ import annotations

import json
import logging
import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mlebench.errors import BenchError, UsageError
from mlebench.grading.grade import Verdict, grade_file, make_report
from mlebench.records.report import CompetitionReport, write_grading_report

if TYPE_CHECKING:
    from mlebench.catalogue import Catalogue

log = logging.getLogger(__name__)

COMMENT = re.compile(r"\s*(#|//)")
SECONDS_PER_SUBMISSION = 600
MEMORY_BYTES = 8 << 30


@dataclass(frozen=True)
class Line:
    """One line of the JSONL: a submission to grade, or the reason why the line is no such thing."""

    number: int
    competition_id: str = ""
    submission_path: str = ""
    error: str | None = None


@dataclass(frozen=True)
class LineResult:
    """What became of a line."""

    line: Line
    report: CompetitionReport | None = None
    error: str | None = None
    is_internal: bool = False
    """Whether the error is a fault of ours."""


def read_lines(path: Path) -> list[Line]:
    """The submissions named in a JSONL file; lines that start with `#` or `//` are skipped."""
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} cannot be read: {error}") from None
    return [
        _parse_line(number, line)
        for number, line in enumerate(text.split("\n"), 1)
        if line.strip() and not COMMENT.match(line)
    ]


def _parse_line(number: int, text: str) -> Line:
    try:
        data = json.loads(text)
    except ValueError as error:
        return Line(number, error=f"line {number} is not JSON: {error}")
    if not isinstance(data, dict):
        return Line(number, error=f"line {number} is not a JSON object")
    for key in ("competition_id", "submission_path"):
        if not isinstance(data.get(key), str):
            return Line(number, error=f"line {number} has no {key!r}; expected a text")
    return Line(number, data["competition_id"], data["submission_path"])


class GradingPool:
    """Child processes that grade, kept for one submission after the other."""

    def __init__(
        self, catalogue: Catalogue, *, jobs: int = 1, seconds: float = SECONDS_PER_SUBMISSION
    ) -> None:
        from multiprocessing import get_context

        from pebble import ProcessPool

        self.catalogue = catalogue
        self.seconds = seconds
        self._pool: Any = ProcessPool(
            max_workers=max(1, jobs), context=get_context("spawn"), initializer=_limit_memory
        )

    def __enter__(self) -> GradingPool:
        return self

    def __exit__(self, *error: object) -> None:
        self._pool.stop()
        self._pool.join()

    def grade(self, lines: Sequence[Line]) -> Iterator[LineResult]:
        """Grade every line, in parallel; the results keep the order of the lines."""
        futures = [
            None
            if line.error
            else self._pool.schedule(_grade, (line, self.catalogue), timeout=self.seconds)
            for line in lines
        ]
        for line, future in zip(lines, futures, strict=True):
            if future is None:
                yield LineResult(line, error=line.error)
            else:
                yield self._result(line, future)

    def _result(self, line: Line, future: Any) -> LineResult:
        from pebble import ProcessExpired

        problem = future.exception()
        if problem is None:
            return LineResult(line, report=future.result())
        if isinstance(problem, BenchError):
            return LineResult(line, error=str(problem))
        if isinstance(problem, TimeoutError):
            reason = f"too costly to grade: not done after {self.seconds:g} s"
        elif isinstance(problem, MemoryError | ProcessExpired):
            reason = f"too costly to grade: needs more than {MEMORY_BYTES >> 30} GB of memory"
        else:
            # A fault of ours must not look like a bad submission, nor stop the others.
            log.error("grading line %d failed", line.number, exc_info=problem)
            message = f"internal error in grading: {type(problem).__name__}: {problem}"
            return LineResult(line, error=message, is_internal=True)
        competition = self.catalogue.get_competition(line.competition_id)
        path = Path(line.submission_path)
        return LineResult(line, report=make_report(path, competition, Verdict(reason=reason)))


def grade_lines(
    lines: Sequence[Line],
    catalogue: Catalogue,
    *,
    jobs: int = 1,
    seconds: float = SECONDS_PER_SUBMISSION,
    on_done: Callable[[LineResult], None] = lambda result: None,
) -> list[LineResult]:
    """Grade every line with children of their own."""
    results = []
    with GradingPool(catalogue, jobs=jobs, seconds=seconds) as pool:
        for result in pool.grade(lines):
            results.append(result)
            on_done(result)
    return results


def _grade(line: Line, catalogue: Catalogue) -> CompetitionReport:
    return grade_file(Path(line.submission_path), catalogue.get_competition(line.competition_id))


def _limit_memory() -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def aggregate_reports(competition_reports: Sequence[CompetitionReport]) -> dict[str, Any]:
    """Counts over reports, and the reports themselves."""

    def count(name: str) -> int:
        return sum(bool(getattr(report, name)) for report in competition_reports)

    return {
        "total_runs": len(competition_reports),
        "total_runs_with_submissions": count("submission_exists"),
        "total_valid_submissions": count("valid_submission"),
        "total_medals": count("any_medal"),
        "total_gold_medals": count("gold_medal"),
        "total_silver_medals": count("silver_medal"),
        "total_bronze_medals": count("bronze_medal"),
        "total_above_median": count("above_median"),
        "competition_reports": [report.to_dict() for report in competition_reports],
    }


def summarize(results: Sequence[LineResult]) -> dict[str, Any]:
    """The content of a grading report; lines without a report are listed as errors."""
    summary = aggregate_reports([result.report for result in results if result.report])
    errors = [
        {"line": r.line.number, "competition_id": r.line.competition_id, "message": r.error}
        for r in results
        if r.error
    ]
    return summary | {"errors": errors, "schema": 1}


def write_summary(summary: dict[str, Any], output_dir: Path) -> Path:
    """`<timestamp>_grading_report.json`, whole or not at all."""
    stamp = datetime.now().strftime("%Y-%m-%dT%H-%M-%S-%f")[:-3]
    path = output_dir / f"{stamp}_grading_report.json"
    try:
        output_dir.mkdir(parents=True, exist_ok=True)
        write_grading_report(summary, path)
    except OSError as error:
        raise UsageError(
            f"the report cannot be written to {output_dir}: {error.strerror}"
        ) from None
    return path


def require_writable(output_dir: Path) -> None:
    """Find out before the work whether its result can be kept."""
    try:
        output_dir.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(
            f"the output folder {output_dir} cannot be made: {error.strerror}"
        ) from None
    if not os.access(output_dir, os.W_OK | os.X_OK):
        raise UsageError(f"the output folder {output_dir} cannot be written to")
