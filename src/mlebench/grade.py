"""Names that programs written for the published package import: grading files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.catalogue import Catalogue
from mlebench.grading.batch import (
    aggregate_reports,
    grade_lines,
    read_lines,
    summarize,
    write_summary,
)
from mlebench.grading.grade import grade_file, validate

if TYPE_CHECKING:
    from mlebench.records.report import CompetitionReport
    from mlebench.registry import Competition

__all__ = ["aggregate_reports", "grade_csv", "grade_jsonl", "validate_submission"]


def grade_csv(path_to_submission: Path | str, competition: Competition) -> CompetitionReport:
    """A report, also when the file is missing or invalid."""
    return grade_file(Path(path_to_submission), competition)


def grade_jsonl(
    path_to_submissions: Path | str, output_dir: Path | str, registry: Catalogue | None = None
) -> Path:
    """Grade every line of a JSONL file and write the grading report; returns its path."""
    results = grade_lines(read_lines(Path(path_to_submissions)), registry or Catalogue())
    return write_summary(summarize(results), Path(output_dir))


def validate_submission(submission: Path | str, competition: Competition) -> tuple[bool, str]:
    """Whether a file can be graded, and the reason when not."""
    path = Path(submission)
    if not path.exists() and not path.is_symlink():
        reason: str | None = f"{path} does not exist"
    elif path.suffix.lower() != ".csv":
        reason = f"{path.name} is not a .csv file"
    else:
        reason = validate(path, competition)
    return (False, f"Submission is invalid: {reason}") if reason else (True, "Submission is valid.")
