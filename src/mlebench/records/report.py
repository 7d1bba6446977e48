"""One graded submission: the record, its JSON and back."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any

from mlebench.version import REVISION

SCHEMA = 1


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
    """The place among the teams of the human board."""

    teams: int | None = None
    human_rank: float | None = None
    """The share of teams that the score beats."""

    submission_sha256: str | None = None
    revision: str = REVISION
    is_rehearsal: bool = False
    """Made on synthetic data: says nothing about the real competition."""

    is_demonstration: bool = False
    """The answers of this competition are public."""

    warnings: list[str] = field(default_factory=list)
    """What is odd about a submission that is scored all the same, one sentence each."""

    schema: int = SCHEMA

    @property
    def medal(self) -> str | None:
        if self.gold_medal:
            return "gold"
        if self.silver_medal:
            return "silver"
        return "bronze" if self.bronze_medal else None

    def to_dict(self) -> dict[str, Any]:
        """For JSON: the time as text, numbers of numpy as plain ones."""
        values = {name: _plain(value) for name, value in asdict(self).items()}
        return values | {"created_at": self.created_at.isoformat()}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> CompetitionReport:
        """From JSON, ours or that of the published tool."""
        known = cls.__dataclass_fields__
        values = {name: value for name, value in data.items() if name in known}
        values["created_at"] = datetime.fromisoformat(values["created_at"])
        values["submission_path"] = str(values["submission_path"])
        return cls(**values)


def _plain(value: Any) -> Any:
    item = getattr(value, "item", None)
    return item() if callable(item) else value
