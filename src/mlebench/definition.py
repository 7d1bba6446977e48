"""CompetitionDefinition: a frozen record of facts, preparation, submission format and metric."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from mlebench.errors import InvalidSubmissionError

if TYPE_CHECKING:
    import pandas as pd

    from mlebench.archives.raw import Raw
    from mlebench.formats import Format
    from mlebench.metrics import Metric

Complexity = Literal["low", "medium", "high", "dev", "starter"]
Accepted = Literal["missing_row", "foreign_id", "double_id", "nan", "renumbered"]


@dataclass(frozen=True)
class Fault:
    """A known fault of the published benchmark: kept in `v1`, to be mended in `v1.1`."""

    text: str
    issue: str | None = None
    """Number in the published benchmark's tracker (`#77`), if somebody has filed it."""

    def __str__(self) -> str:
        return f"{self.issue}: {self.text}" if self.issue else self.text


@dataclass(frozen=True)
class Elsewhere:
    """A file of the raw data that Kaggle does not serve."""

    name: str
    page: str
    """Where people find it."""


@dataclass(frozen=True, kw_only=True)
class CompetitionDefinition:
    """Everything about a competition that does not depend on where its data lies."""

    id: str
    title: str
    category: str
    complexity: Complexity

    prepare: Callable[[Raw, Path, Path], None]
    """Writes the public and the private folder from the raw data."""

    submission: Format
    metric: Metric

    make_raw: Callable[[Path], None] | None = None
    """Writes the raw data where it ships with a library, so that nothing is downloaded."""

    elsewhere: tuple[Elsewhere, ...] = ()
    answers: str = "private/test.csv"
    """Inside the prepared folder, as are the two below."""

    sample_submission: str = "public/sample_submission.csv"
    gold_submission: str | None = None
    """A file that scores best; the answers where nothing is said."""

    competition_type: Literal["simple", "code"] = "simple"
    awards_medals: bool = False
    """Whether Kaggle counted its medals towards rankings."""

    prize_usd: int | None = None
    dataset_gb: float | None = None
    official_sample_score: float | None = None
    """What the published grader gives the sample submission on the real data."""

    faults: tuple[Fault, ...] = ()
    accepts: frozenset[Accepted] = frozenset()
    """Broken submissions that the published grader accepts, and so must we; `renumbered` says that
    train and test ids each start anew, so that they overlap without meaning anything."""

    def score(self, submission: pd.DataFrame, answers: Any) -> float:
        """The score of a table, not rounded; raises InvalidSubmissionError with the reason."""
        truth, prediction = self.submission.align(submission, answers)
        score = self.metric(truth, prediction)
        if not math.isfinite(score):
            raise InvalidSubmissionError(
                f"the {self.metric.name} of this submission is {score}, expected a finite number"
            )
        return score
