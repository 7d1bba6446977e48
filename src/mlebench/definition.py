"""CompetitionDefinition: a frozen record of facts, preparation, submission format and metric."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from mlebench.errors import InvalidSubmissionError

if TYPE_CHECKING:
    import pandas as pd

    from mlebench.archives.raw import Raw
    from mlebench.formats import Format
    from mlebench.formats.clusters import Clusters
    from mlebench.metrics import Metric
    from mlebench.metrics.spread import StandardError

SCORE_DIGITS = 5
"""The number of decimals of a score, as on the leaderboards."""

Complexity = Literal["low", "medium", "high", "dev", "starter"]
Rounding = Literal["numpy", "python"]
LARGEST_FACTOR = 1e5
"""Rounding multiplies by this, which must not make a score infinite."""

Accepted = Literal["missing_row", "foreign_id", "double_id", "nan", "renumbered", "ordered"]


@dataclass(frozen=True)
class Fault:
    """A known fault of the published benchmark: kept in `v1`, to be fixed in `v1.1`."""

    text: str
    issue: str | None = None
    """Number in the published benchmark's tracker (`#77`), if it was reported."""

    def __str__(self) -> str:
        return f"{self.issue}: {self.text}" if self.issue else self.text


@dataclass(frozen=True)
class Elsewhere:
    """A file of the raw data that Kaggle does not serve."""

    name: str
    page: str
    """The web page where users can download it."""


class TableScore(NamedTuple):
    """The score of a table, not rounded, and warnings about the table."""

    value: float
    warnings: tuple[str, ...] = ()
    error: Callable[[int], StandardError] | None = None
    """Computes the standard error, with a seed for metrics that need a bootstrap."""


@dataclass(frozen=True, kw_only=True)
class CompetitionDefinition:
    """Everything about a competition that does not depend on where its data is stored."""

    id: str
    title: str
    category: str
    complexity: Complexity

    prepare: Callable[[Raw, Path, Path], object]
    """Writes the public and the private folder from the raw data; its return value is not used."""

    submission: Format
    metric: Metric

    make_raw: Callable[[Path], None] | None = None
    """Writes the raw data if it ships with a library, so that nothing is downloaded."""

    elsewhere: tuple[Elsewhere, ...] = ()
    answers: str = "private/test.csv"
    """Inside the prepared folder, as are the two below."""

    sample_submission: str = "public/sample_submission.csv"
    gold_submission: str | None = None
    """The submission with the best possible score; by default the answers."""

    competition_type: Literal["simple", "code"] = "simple"
    awards_medals: bool = False
    """Whether Kaggle counted its medals towards rankings."""

    prize_usd: int | None = None
    dataset_gb: float | None = None
    official_sample_score: float | None = None
    """The score of the sample submission on the real data, by the published grader."""

    clusters: Clusters | None = None
    """Which rows depend on each other, for the standard error of a score."""

    rounding: Rounding = "numpy"
    """How the published grader rounds the score: it depends on the type that its metric returns."""

    texts: tuple[str, ...] = ()
    """Columns of submissions and answers whose text is read unchanged; in all others, words such as
    `NA` are missing values, as in the published benchmark."""

    faults: tuple[Fault, ...] = ()
    accepts: frozenset[Accepted] = frozenset()
    """Kinds of broken submissions that we accept because the published grader does. `renumbered`:
    train and test ids are numbered separately, so that equal ids mean nothing. `ordered`: rows are
    steps of a series, so that neighbours are similar."""

    @property
    def answer_columns(self) -> list[str] | None:
        """The columns of the answers that a score depends on; None if that is not known."""
        names: list[str] | None = getattr(self.submission, "answer_columns", None)
        return names and [*names, *([self.clusters.column] if self.clusters else [])]

    def score(self, submission: pd.DataFrame, answers: Any) -> TableScore:
        """Score a table as the published grader does.

        Raises InvalidSubmissionError where that grader has no score, or one that is not finite.
        """
        aligned = self.submission.align(submission, answers)
        truth, prediction = aligned.truth, aligned.prediction
        measured = self.metric.measure(truth, prediction)
        score = measured.score
        if not math.isfinite(score * LARGEST_FACTOR):
            raise InvalidSubmissionError(
                f"the {self.metric.name} of this submission is {score}, expected a finite number"
            )

        def error(seed: int) -> StandardError:
            from mlebench.metrics.spread import clustered_error, standard_error

            if self.clusters and measured.contributions:
                codes = self.clusters.codes(answers)
                rows = getattr(aligned, "rows", None)
                codes = codes if rows is None else codes[rows]
                return clustered_error(measured, codes, unit=self.clusters.unit)
            return standard_error(self.metric, truth, prediction, measured=measured, seed=seed)

        return TableScore(score, aligned.warnings, error)
