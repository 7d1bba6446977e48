"""Names that programs written for the published package import; each points into a room of ours."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mlebench.errors import InvalidSubmissionError
from mlebench.records.report import CompetitionReport

if TYPE_CHECKING:
    from mlebench.definition import CompetitionDefinition, Rounding

__all__ = ["CompetitionReport", "Grader", "InvalidSubmissionError"]


@dataclass(frozen=True)
class Grader:
    """Scores tables and places scores on a board."""

    name: str
    grade_fn: Callable[[Any, Any], float]
    """Unrounded score of (submission, answers); raises InvalidSubmissionError."""

    lower_is_better: bool
    rounding: Rounding = "numpy"

    @classmethod
    def of(cls, competition: CompetitionDefinition) -> Grader:
        return cls(
            competition.metric.name,
            lambda submission, answers: competition.score(submission, answers).value,
            competition.metric.is_lower_better,
            competition.rounding,
        )

    def __call__(self, submission: Any, answers: Any) -> float | None:
        """The score to five digits, or None for what cannot be graded."""
        from mlebench.grading.grade import round_score

        try:
            return round_score(self.grade_fn(submission, answers), self.rounding)
        except InvalidSubmissionError:
            return None

    def is_lower_better(self, leaderboard: Any = None) -> bool:
        """The metric knows; the board is not asked."""
        return self.lower_is_better

    def rank_score(self, score: float | None, leaderboard: Any) -> dict[str, Any]:
        """Medals and thresholds of a score on a board (a table with `score`, best first)."""
        from mlebench.leaderboards.leaderboard import thresholds_of

        cuts = thresholds_of([float(s) for s in leaderboard["score"]], self.lower_is_better)
        medal = cuts.medal(score)
        return {
            "gold_medal": medal == "gold",
            "silver_medal": medal == "silver",
            "bronze_medal": medal == "bronze",
            "above_median": cuts.is_above_median(score),
            "gold_threshold": cuts.gold,
            "silver_threshold": cuts.silver,
            "bronze_threshold": cuts.bronze,
            "median_threshold": cuts.median,
        }
