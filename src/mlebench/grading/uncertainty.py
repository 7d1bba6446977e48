"""Whether a medal would survive other test data of the same kind: intervals of score and rank."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import TYPE_CHECKING

from mlebench.records.report import Uncertainty

if TYPE_CHECKING:
    from mlebench.leaderboards.leaderboard import Leaderboard
    from mlebench.metrics.spread import StandardError


def seed_of(competition_id: str, sha256: str) -> int:
    """The seed of a bootstrap: the same submission always has the same replicates."""
    return int.from_bytes(hashlib.sha256(f"{competition_id} {sha256}".encode()).digest()[:8])


def place(error: StandardError, score: float, board: Leaderboard) -> Uncertainty:
    """The 95 % interval of a score on a board; uncertain if a medal cut is inside."""
    known = Uncertainty(
        unit=error.unit, units=error.units, method=error.method, reason=error.reason
    )
    half = error.half_width
    if half is None:
        return known
    cuts = board.thresholds
    low, high = score - half, score + half
    best, worst = (low, high) if cuts.is_lower_better else (high, low)
    return replace(
        known,
        standard_error=error.value,
        score_interval=(low, high),
        rank_interval=(board.rank(best), board.rank(worst)),
        uncertain=cuts.medal(best) != cuts.medal(worst),
    )
