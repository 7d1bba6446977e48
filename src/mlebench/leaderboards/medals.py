"""Medals: the ranks that win them, and the medal that a score wins."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Medal = Literal["gold", "silver", "bronze"]


def medal_ranks(teams: int) -> dict[Medal, int]:
    """The last rank (from 1) that wins each medal, by number of teams; 0 if no team wins it."""
    if teams < 100:
        gold, silver, bronze = max(1, teams // 10), teams // 5, teams * 2 // 5
    elif teams < 250:
        gold, silver, bronze = 10, teams // 5, teams * 2 // 5
    elif teams < 1000:
        gold, silver, bronze = 10 + teams // 500, 50, 100
    else:
        gold, silver, bronze = 10 + teams // 500, teams // 20, teams // 10
    return {"gold": gold, "silver": silver, "bronze": bronze}


@dataclass(frozen=True)
class Thresholds:
    """The scores at the medal ranks and the median; a medal is won by reaching its score."""

    gold: float
    silver: float
    bronze: float
    median: float
    is_lower_better: bool

    def reaches(self, score: float | None, threshold: float) -> bool:
        """At least as good; a missing or not-a-number score reaches nothing."""
        if score is None:
            return False
        return score <= threshold if self.is_lower_better else score >= threshold

    def medal(self, score: float | None) -> Medal | None:
        """The best medal that the score wins."""
        if self.reaches(score, self.gold):
            return "gold"
        if self.reaches(score, self.silver):
            return "silver"
        return "bronze" if self.reaches(score, self.bronze) else None

    def is_above_median(self, score: float | None) -> bool:
        if score is None:
            return False
        return score < self.median if self.is_lower_better else score > self.median
