"""Measures of a run, computed once by `report`: `progress.json`, `process.json`."""

from __future__ import annotations

from pathlib import Path

import msgspec

from mlebench.errors import UsageError
from mlebench.records.codec import Record, RecordFormat
from mlebench.records.folders import RunFolder
from mlebench.records.run import Number

PROGRESS_SCHEMA = 1
PROCESS_SCHEMA = 1


class Grade(msgspec.Struct, frozen=True):
    """The submission at one time of the run, and the resources used until then."""

    hours: Number
    score: Number | None
    medal: str | None
    is_above_median: bool = False
    cost: Number | None = None
    tokens: int | None = None
    cpu_hours: Number | None = None

    @property
    def is_valid(self) -> bool:
        return self.score is not None


class Progress(msgspec.Struct, frozen=True):
    """The graded copies of a submission, in the order of time."""

    copies: dict[str, int]
    """Names and sizes of the copies that were graded; others make the grades stale."""

    grades: tuple[Grade, ...]
    schema: int = PROGRESS_SCHEMA


class WorkMeasures(msgspec.Struct, frozen=True):
    """How the agent of one run worked; None if its files do not show it."""

    first_valid_hours: Number | None = None
    """Until validation first accepted a file or, without validation, until the first valid copy."""

    validations: int = 0
    invalid_validations: int = 0
    executions: int | None = None
    """Programs that the agent ran, if it keeps a record of them."""

    failed_executions: int | None = None
    model_calls: int | None = None
    failed_model_calls: int | None = None
    code_files: int = 0
    code_lines: int = 0
    """Lines that are not blank."""

    lint_findings: int | None = None
    linter: str | None = None
    """What counted the findings: `ruff` and its version, or `compile` (syntax only)."""

    schema: int = PROCESS_SCHEMA


_PROGRESS = RecordFormat(Progress, PROGRESS_SCHEMA)
_PROCESS = RecordFormat(WorkMeasures, PROCESS_SCHEMA)
decode_progress = _PROGRESS.decode


def read_progress(run: RunFolder) -> Progress | None:
    """The graded copies; None if they were never graded."""
    return _PROGRESS.read_existing(f"{run.path}/host/progress.json")


def write_progress(progress: Progress, run: RunFolder) -> None:
    _write(_PROGRESS, progress, run.progress)


def read_measures(run: RunFolder) -> WorkMeasures | None:
    """The measures; None if they were never computed."""
    # Strings: most of thousands of runs have no such file, and making a `Path` takes longer.
    return _PROCESS.read_existing(f"{run.path}/host/process.json")


def write_measures(measures: WorkMeasures, run: RunFolder) -> None:
    _write(_PROCESS, measures, run.process)


def _write(kind: RecordFormat[Record], record: Record, path: Path) -> None:
    try:
        kind.write(record, path)
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}") from None
