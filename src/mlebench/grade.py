"""Names that programs written for the published package import; each points into `grading/`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from mlebench.grading.batch import aggregate_reports, grade_jsonl
from mlebench.grading.grade import grade_file, validate

if TYPE_CHECKING:
    from mlebench.grading.report import CompetitionReport
    from mlebench.registry import Competition

__all__ = ["aggregate_reports", "grade_csv", "grade_jsonl", "validate_submission"]


def grade_csv(path_to_submission: Path | str, competition: Competition) -> CompetitionReport:
    """A report, also when the file is missing or invalid."""
    return grade_file(Path(path_to_submission), competition)


def validate_submission(submission: Path | str, competition: Competition) -> tuple[bool, str]:
    """Whether a file can be graded, and the reason when not."""
    path = Path(submission)
    reason: Any = None
    if not path.exists() and not path.is_symlink():
        reason = f"{path} does not exist"
    elif path.suffix.lower() != ".csv":
        reason = f"{path.name} is not a .csv file"
    else:
        reason = validate(path, competition)
    return (False, f"Submission is invalid: {reason}") if reason else (True, "Submission is valid.")
