"""What importers of the published package expect in `mlebench.grade`."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.data import is_dataset_prepared
from mlebench.grading.batch import aggregate_reports
from mlebench.registry import Registry
from mlebench.registry import registry as DEFAULT_REGISTRY

if TYPE_CHECKING:
    from mlebench.records.report import CompetitionReport
    from mlebench.registry import Competition

__all__ = [
    "DEFAULT_REGISTRY",
    "aggregate_reports",
    "grade_csv",
    "grade_jsonl",
    "is_dataset_prepared",
    "validate_submission",
]

log = logging.getLogger(__name__)


def grade_csv(path_to_submission: Path | str, competition: Competition) -> CompetitionReport:
    """A report, also when the file is missing or invalid; raises ValueError if not prepared."""
    from mlebench.catalogue.given import locate
    from mlebench.grading.grade import grade_file, require_prepared

    located = locate(competition)
    require_prepared(located)
    report = grade_file(Path(path_to_submission), located)
    if report.submission_exists and not report.valid_submission:
        log.warning("Invalid submission: %s", report.reason)
    return report


def grade_jsonl(
    path_to_submissions: Path | str,
    output_dir: Path | str,
    registry: Registry = DEFAULT_REGISTRY,
) -> Path:
    """Grade every entry of a JSONL file and write the grading report; returns its path.

    Limited children grade; they never run the caller's script, notebook or stdin again.
    """
    from mlebench.catalogue import Catalogue
    from mlebench.grading.batch import grade_entries, read_entries, summarize, write_summary

    entries = read_entries(Path(path_to_submissions))
    results = grade_entries(entries, Catalogue(registry.get_data_dir()))
    return write_summary(summarize(results), Path(output_dir))


def validate_submission(submission: Path | str, competition: Competition) -> tuple[bool, str]:
    """Whether a file can be graded, and the reason when not; raises ValueError if not prepared."""
    from mlebench.catalogue.given import locate
    from mlebench.grading.grade import validate

    path = Path(submission)
    if not path.is_file():
        reason: str | None = f"{path} does not exist or is no file"
    elif path.suffix.lower() != ".csv":
        reason = f"{path.name} is not a .csv file"
    else:
        reason = validate(path, locate(competition))
    return (False, f"Submission invalid! {reason}") if reason else (True, "Submission is valid.")
