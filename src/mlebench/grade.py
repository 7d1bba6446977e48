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
    from mlebench.grading.batch import BatchEntry, EntryResult
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
    path_to_submissions: Path | str, output_dir: Path | str, registry: Registry = DEFAULT_REGISTRY
) -> Path:
    """Grade every entry of a JSONL file and write the grading report; returns its path.

    Limited children grade; they never run the caller's script, notebook or stdin again. A registry
    of the caller's own class is asked in this process, since a child does not know it.
    """
    from mlebench.catalogue import Catalogue
    from mlebench.grading.batch import grade_entries, read_entries, summarize, write_summary

    entries = read_entries(Path(path_to_submissions))
    if type(registry) is Registry:
        results = grade_entries(entries, Catalogue(registry.get_data_dir()))
    else:
        results = [_graded_here(entry, registry) for entry in entries]
    return write_summary(summarize(results), Path(output_dir))


def _graded_here(entry: BatchEntry, registry: Registry) -> EntryResult:
    """An entry that cannot be graded is listed with the reason and never stops the rest."""
    from mlebench.catalogue.given import locate
    from mlebench.errors import BenchError
    from mlebench.grading.batch import EntryResult
    from mlebench.grading.grade import grade_file

    if entry.submission is None:
        return EntryResult(entry, error=entry.error)
    try:
        competition = registry.get_competition(entry.submission.competition_id)
        return EntryResult(entry, grade_file(entry.submission.path, locate(competition)))
    except BenchError as error:
        return EntryResult(entry, error=str(error))


def validate_submission(submission: Path | str, competition: Competition) -> tuple[bool, str]:
    """Whether a file can be graded, and the reason when not; raises ValueError if not prepared."""
    from mlebench.catalogue.given import locate
    from mlebench.grading.grade import validate

    path = Path(submission)
    if not path.is_file():
        reason: str | None = f"{path.name} does not exist or is not a file"
    elif path.suffix.lower() != ".csv":
        reason = f"{path.name} is not a .csv file"
    else:
        reason = validate(path, locate(competition))
    return (False, f"Submission invalid! {reason}") if reason else (True, "Submission is valid.")
