"""Rewards by name and version; a reward is a number from 0 to 1, whatever the metric.

    human_rank   share of teams that are not strictly better (as MLE-Dojo counts; ties count for us)
    medal        0, 1/3, 2/3, 1
    normalised   (score - sample) / (gold - sample), within 0 and 1
    improvement  the growth of `normalised` with each run; sums to its best value
    valid        0.05 for the first valid file; shaping, added with `+`: `medal+valid`

They are computed by the grader; a policy process sees the numbers only.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mlebench.errors import UnknownNameError, UsageError

if TYPE_CHECKING:
    from mlebench.leaderboards.leaderboard import Leaderboard

VALID_REWARD = 0.05
DIGITS = 3
"""Of `normalised` and `improvement`: finer rewards would tell more about the answers."""

MEDALS = {None: 0.0, "bronze": 1 / 3, "silver": 2 / 3, "gold": 1.0}
VERSIONS = {"human_rank": 1, "medal": 1, "normalised": 1, "improvement": 1, "valid": 1}
REWARD_NAMES = tuple(VERSIONS)


@dataclass(frozen=True)
class Placement:
    """A score and what it is compared with; no score for a submission that is not valid."""

    score: float | None
    board: Leaderboard
    sample_score: float | None = None
    """Of the sample submission, on the same answers."""


def human_rank(placed: Placement) -> float:
    return placed.board.human_rank(_finite(placed)) or 0.0


def medal(placed: Placement) -> float:
    return MEDALS[placed.board.thresholds.medal(_finite(placed))]


def normalised(placed: Placement) -> float:
    """0 at the score of the sample submission, 1 at the gold medal."""
    score, gold = _finite(placed), placed.board.thresholds.gold
    if score is None:
        return 0.0
    sample = placed.sample_score
    if sample is None or not math.isfinite(sample) or sample == gold:
        return 1.0 if placed.board.thresholds.reaches(score, gold) else 0.0
    return round(min(1.0, max(0.0, (score - sample) / (gold - sample))), DIGITS)


BASES: Mapping[str, Callable[[Placement], float]] = {
    "human_rank": human_rank,
    "medal": medal,
    "normalised": normalised,
}


def _finite(placed: Placement) -> float | None:
    """The score, with the best or worst one of the board instead of infinity; None for NaN."""
    score = placed.score
    if score is None or math.isnan(score):
        return None
    # A metric such as the logarithm of an error is minus infinity for a perfect submission.
    if math.isinf(score):
        is_best = (score < 0) == placed.board.thresholds.is_lower_better
        return placed.board.scores[0] if is_best else placed.board.scores[-1]
    return score


@dataclass(frozen=True)
class Reward:
    """A reward setting: one name, perhaps with `valid`, and whether the policy is told."""

    base: str | None
    has_valid: bool = False
    is_shown: bool = False
    """Whether observations state the reward, from which a score can often be told."""

    @property
    def is_dense(self) -> bool:
        """Whether runs are rewarded, too."""
        return self.base == "improvement"

    @property
    def graded_as(self) -> str | None:
        """The name that the grader computes."""
        return "normalised" if self.base == "improvement" else self.base

    @property
    def label(self) -> str:
        """For records: names with versions, for example `medal@1+valid@1`."""
        names = [*([self.base] if self.base else []), *(["valid"] if self.has_valid else [])]
        return "+".join(f"{name}@{VERSIONS[name]}" for name in names)


def parse_reward(text: str | Reward) -> Reward:
    """A setting such as `medal` or `improvement+valid`."""
    if isinstance(text, Reward):
        return text
    names = [part.partition("@")[0] for part in text.split("+")]
    for part, name in zip(text.split("+"), names, strict=True):
        if name not in VERSIONS:
            known = ", ".join(REWARD_NAMES)
            raise UnknownNameError(f"unknown reward {name!r}; expected one of {known}")
        if part not in (name, f"{name}@{VERSIONS[name]}"):
            raise UnknownNameError(f"{part}: this version computes {name}@{VERSIONS[name]}")
    bases = [name for name in names if name != "valid"]
    if len(bases) > 1 or len(set(names)) < len(names):
        raise UsageError(f"{text}: one reward, or one with +valid")
    return Reward(bases[0] if bases else None, "valid" in names)


class RewardCounter:
    """Turns what the grader says into the rewards of one episode."""

    def __init__(self, reward: Reward) -> None:
        self.reward = reward
        self.total = 0.0
        self._best = 0.0
        self._was_valid = False

    def first_valid(self, is_valid: bool) -> float:
        """The shaped reward of a verdict on the format."""
        if not is_valid or self._was_valid:
            return 0.0
        self._was_valid = True
        return self._count(VALID_REWARD if self.reward.has_valid else 0.0)

    def graded(self, value: float) -> float:
        """The reward of a graded file."""
        if not math.isfinite(value):
            value = 0.0
        if self.reward.is_dense:
            value = max(0.0, round(value - self._best, DIGITS))
            self._best = round(self._best + value, DIGITS)
        return self._count(value)

    def _count(self, value: float) -> float:
        self.total += value
        return value
