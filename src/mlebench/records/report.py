"""Reports: one graded submission (`report.json`), and many in one grading report."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec

from mlebench.errors import UsageError
from mlebench.records.codec import RecordFormat, encode
from mlebench.system.files import write_atomically
from mlebench.version import REVISION

SCHEMA = 1
GRADING_SCHEMA = 1


@dataclass(frozen=True, kw_only=True)
class Uncertainty:
    """How much a score and its rank would vary over other test data of the same kind."""

    standard_error: float | None = None
    score_interval: tuple[float, float] | None = None
    """95 %, lower end first."""

    rank_interval: tuple[int, int] | None = None
    """The ranks of both ends, best first."""

    uncertain: bool | None = None
    """Whether a medal cut is inside the interval; None where there is no interval."""

    unit: str = "row"
    """What is resampled: rows, or the units that the metric averages over."""

    units: int = 0
    method: str = ""
    reason: str | None = None
    """Why there is no standard error."""


@dataclass(frozen=True)
class CompetitionReport:
    """What one submission achieved; the first sixteen fields are those of the published report."""

    competition_id: str
    score: float | None
    gold_threshold: float
    silver_threshold: float
    bronze_threshold: float
    median_threshold: float
    any_medal: bool
    gold_medal: bool
    silver_medal: bool
    bronze_medal: bool
    above_median: bool
    submission_exists: bool
    valid_submission: bool
    is_lower_better: bool
    created_at: datetime
    submission_path: str

    reason: str | None = None
    """Why the submission is not valid, in one sentence."""

    rank: int | None = None
    """The rank among the teams of the human leaderboard."""

    teams: int | None = None
    human_rank: float | None = None
    """The share of teams without a better score; `teams_beaten` in reports that have none."""

    submission_sha256: str | None = None
    revision: str = REVISION
    is_rehearsal: bool = False
    """Made on synthetic data, so not a result of the real competition."""

    is_demonstration: bool = False
    """The answers of this competition are public."""

    warnings: list[str] = field(default_factory=list)
    """What is unusual about a submission that is scored nevertheless, one sentence each."""

    uncertainty: Uncertainty | None = None
    """None where there is no score, or in reports of other tools."""

    teams_beaten: float | None = None
    """The share of teams with a worse score."""

    schema: int = SCHEMA

    @property
    def is_uncertain(self) -> bool:
        """Whether a medal cut is inside the 95 % interval of the score."""
        return bool(self.uncertainty and self.uncertainty.uncertain)

    @property
    def medal(self) -> str | None:
        won = {"gold": self.gold_medal, "silver": self.silver_medal, "bronze": self.bronze_medal}
        return next((medal for medal, is_won in won.items() if is_won), None)

    def to_dict(self) -> dict[str, Any]:
        """For JSON: the time as a string, numpy's numbers as Python's."""
        values = {name: _plain(value) for name, value in asdict(self).items()}
        return values | {"created_at": self.created_at.isoformat()}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> CompetitionReport:
        """From JSON, ours or that of the published tool."""
        known = cls.__dataclass_fields__
        values = {name: value for name, value in data.items() if name in known}
        values["created_at"] = datetime.fromisoformat(values["created_at"])
        values["submission_path"] = str(values["submission_path"])
        if isinstance(found := values.get("uncertainty"), dict):
            values["uncertainty"] = msgspec.convert(found, Uncertainty)
        return cls(**values)


def _plain(value: Any) -> Any:
    item = getattr(value, "item", None)
    return item() if callable(item) else value


class GradingError(msgspec.Struct, frozen=True):
    """A line of the input that could not be graded."""

    line: int
    competition_id: str
    message: str | None = None


class GradingReport(msgspec.Struct, frozen=True):
    """What `mlebench grade` writes.

    The published tool's reports have no `errors`, `revision` and `schema`.
    """

    competition_reports: tuple[CompetitionReport, ...]
    total_runs: int = 0
    total_runs_with_submissions: int = 0
    total_valid_submissions: int = 0
    total_medals: int = 0
    total_gold_medals: int = 0
    total_silver_medals: int = 0
    total_bronze_medals: int = 0
    total_above_median: int = 0
    errors: tuple[GradingError, ...] = ()
    agent: str = "agent"
    """The agent whose submissions these are, if known."""

    revision: str | None = None
    """The revision that all of them were graded in; unknown in reports of earlier versions."""

    schema: int = GRADING_SCHEMA


_REPORT = RecordFormat(CompetitionReport, SCHEMA)
_GRADING = RecordFormat(GradingReport, GRADING_SCHEMA)
read_report, decode_report = _REPORT.read, _REPORT.decode


def write_report(report: CompetitionReport, path: Path) -> None:
    """Write `report.json` in one step."""
    write_atomically(path, encode(report.to_dict()))


def read_grading_report(path: Path) -> GradingReport:
    """A grading report, ours or that of the published tool."""
    if not path.exists():
        raise UsageError(f"{path} does not exist")
    return _GRADING.read(path)


def write_grading_report(content: dict[str, Any], path: Path) -> None:
    """Write the result of `aggregate_reports` in one step, indented as by the published tool."""
    write_atomically(path, json.dumps(content, indent=2, allow_nan=False))
