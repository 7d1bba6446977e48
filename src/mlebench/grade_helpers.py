"""What importers of the published package expect in `mlebench.grade_helpers`."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from mlebench.definition import SCORE_DIGITS
from mlebench.errors import InvalidSubmissionError
from mlebench.records.report import CompetitionReport
from mlebench.utils import import_fn

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["CompetitionReport", "Grader", "InvalidSubmissionError"]

MEDALS = ("gold", "silver", "bronze")

log = logging.getLogger(__name__)


class Grader:
    """Scores tables and places scores on a leaderboard."""

    def __init__(self, name: str, grade_fn: str | Callable[[pd.DataFrame, Any], float]) -> None:
        """Args:
        grade_fn: `"module:function"`, or the function itself; raises InvalidSubmissionError.
        """
        self.name = name
        self.grade_fn = import_fn(grade_fn) if isinstance(grade_fn, str) else grade_fn

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Grader:
        """From the keys `name` and `grade_fn`."""
        missing = [key for key in ("name", "grade_fn") if key not in data]
        if missing:
            raise ValueError(f"a grader needs the keys name and grade_fn; missing: {missing}")
        return cls(data["name"], data["grade_fn"])

    def __call__(self, submission: pd.DataFrame, answers: Any) -> float | None:
        """The score to five digits, or None where there is none; the log says why."""
        try:
            # numpy's numbers and Python's round differently, and the published scores with them.
            return float(round(self.grade_fn(submission, answers), SCORE_DIGITS))
        except InvalidSubmissionError as error:
            log.warning("Invalid submission: %s", error)
        except Exception:  # as published: any error means no score
            log.exception("the grader %s failed", self.name)
        return None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Grader):
            return NotImplemented
        return (self.name, self.grade_fn) == (other.name, other.grade_fn)

    def __hash__(self) -> int:
        return hash((self.name, self.grade_fn))

    def __repr__(self) -> str:
        return f"Grader(name={self.name!r}, grade_fn={self.grade_fn!r})"

    def is_lower_better(self, leaderboard: pd.DataFrame) -> bool:
        """Whether the first score of the leaderboard, which is the best, is below the last."""
        scores = leaderboard["score"]
        return bool(scores.iloc[0] < scores.iloc[-1])

    def rank_score(self, score: float | None, leaderboard: pd.DataFrame) -> dict[str, Any]:
        """Medals and thresholds of a score on a board (a table with `score`, best first)."""
        from mlebench.leaderboards.leaderboard import thresholds_of

        scores = [float(score) for score in leaderboard["score"]]
        cuts = thresholds_of(scores, self.is_lower_better(leaderboard))
        reached = None if score is None else float(score)
        medal = cuts.medal(reached)
        return {
            **{f"{name}_medal": medal == name for name in MEDALS},
            "above_median": cuts.is_above_median(reached),
            **{f"{name}_threshold": getattr(cuts, name) for name in (*MEDALS, "median")},
        }
