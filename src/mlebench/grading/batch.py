"""Grading the submissions that a JSONL file names, and the summary of their reports."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mlebench.errors import RevisionError, UsageError
from mlebench.grading.pool import SECONDS_PER_SUBMISSION, GradingPool, GradingResult, Submission
from mlebench.records.report import CompetitionReport, write_grading_report
from mlebench.version import REVISION, REVISIONS

if TYPE_CHECKING:
    from mlebench.catalogue import Catalogue

COMMENT = re.compile(r"\s*(#|//)")


@dataclass(frozen=True)
class BatchEntry:
    """One entry of the JSONL: a submission to grade, or the reason why the entry is not one."""

    number: int
    """The number of its line in the file."""

    submission: Submission | None = None
    error: str | None = None
    revision: str | None = None
    """The revision of the run that made the submission, if the line names one."""


@dataclass(frozen=True)
class EntryResult:
    """The result of grading one entry."""

    entry: BatchEntry
    report: CompetitionReport | None = None
    error: str | None = None
    """Why it could not be graded; never a fault of the submission."""


def read_entries(path: Path) -> list[BatchEntry]:
    """The entries of a JSONL file; lines that start with `#` or `//` are skipped."""
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} cannot be read: {error}") from None
    return [
        _parse_entry(number, line)
        for number, line in enumerate(text.split("\n"), 1)
        if line.strip() and not COMMENT.match(line)
    ]


def _parse_entry(number: int, text: str) -> BatchEntry:
    try:
        data = json.loads(text)
    except ValueError as error:
        return BatchEntry(number, error=f"line {number} is not JSON: {error}")
    if not isinstance(data, dict):
        return BatchEntry(number, error=f"line {number} is not a JSON object")
    competition_id, path = data.get("competition_id"), data.get("submission_path", "")
    if not isinstance(competition_id, str):
        return BatchEntry(number, error=f"line {number} has no 'competition_id'; expected a text")
    revision = data.get("revision")
    if revision not in (None, *REVISIONS):
        known = " or ".join(REVISIONS)
        return BatchEntry(
            number, error=f"line {number} has the revision {revision!r}; expected {known}"
        )
    if path is None or path == "None":
        return BatchEntry(number, Submission(competition_id, None), revision=revision)
    if not isinstance(path, str) or not path:
        return BatchEntry(
            number, error=f"line {number} has no 'submission_path'; expected a text or null"
        )
    return BatchEntry(number, Submission(competition_id, Path(path)), revision=revision)


def choose_revision(entries: Sequence[BatchEntry], stated: str | None, file: Path) -> str:
    """The revision to grade all entries with: the stated one, else the one that they name.

    Raises:
        RevisionError: an entry names another one. A line that names none is of v1, unless one is
            stated: the published format has no revision.
    """
    default = stated or REVISION
    named = {entry.revision or default for entry in entries if entry.submission}
    if stated and named - {stated}:
        other = " and ".join(sorted(named - {stated}))
        raise RevisionError(f"{file} has submissions of revision {other}, not {stated}")
    if len(named) > 1:
        found = " and ".join(sorted(named))
        raise RevisionError(f"{file} has submissions of revisions {found}; grade them separately")
    return named.pop() if named else default


def grade_entries(
    entries: Sequence[BatchEntry],
    catalogue: Catalogue,
    *,
    jobs: int = 1,
    seconds: float = SECONDS_PER_SUBMISSION,
    on_done: Callable[[EntryResult], None] = lambda result: None,
) -> list[EntryResult]:
    """Grade every entry with limited children; one that cannot be graded never stops the rest."""
    results = []
    with GradingPool(catalogue, jobs=jobs, seconds=seconds) as pool:
        graded = pool.grade_all([entry.submission for entry in entries if entry.submission])
        for entry in entries:
            found = next(graded) if entry.submission else GradingResult(None, entry.error)
            results.append(EntryResult(entry, found.report, found.error or found.fault))
            on_done(results[-1])
    return results


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


def summarize(results: Sequence[EntryResult]) -> dict[str, Any]:
    """The content of a grading report; every entry counts as a run, graded or not."""
    summary = aggregate_reports([result.report for result in results if result.report])
    errors = [
        {
            "line": result.entry.number,
            "competition_id": getattr(result.entry.submission, "competition_id", ""),
            "message": result.error,
        }
        for result in results
        if result.error
    ]
    return summary | {"total_runs": len(results), "errors": errors, "schema": 1}


def write_summary(summary: dict[str, Any], output_dir: Path) -> Path:
    """Write `<timestamp>_grading_report.json` in one step."""
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
    """Raise UsageError, before any work is done, if its result could not be written."""
    try:
        output_dir.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(
            f"the output folder {output_dir} cannot be made: {error.strerror}"
        ) from None
    if not os.access(output_dir, os.W_OK | os.X_OK):
        raise UsageError(f"the output folder {output_dir} cannot be written to")
