"""Validation as a single call: is a file a valid submission, what does it score and win."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class ValidationResult:
    """The outcome for one submission."""

    valid: bool
    score: float | None
    medal_tier: str | None
    message: str


def validate_submission(submission_path: Path | str, competition_id: str) -> ValidationResult:
    """Grade a file against the prepared data of the default data folder."""
    from mlebench.catalogue import Catalogue
    from mlebench.grading.grade import grade_file

    report = grade_file(Path(submission_path), Catalogue().get_competition(competition_id))
    message = report.reason or f"valid submission with score {report.score}"
    return ValidationResult(report.valid_submission, report.score, report.medal, message)
