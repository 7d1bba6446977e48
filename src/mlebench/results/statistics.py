"""Statistics beyond the mean: pass@k, paired comparison, bootstrap, progress over time, cost."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mlebench.errors import UsageError
from mlebench.results.attempts import Attempt

RESAMPLES = 10_000


def pass_at_k(tries: int, successes: int, k: int) -> float:
    """The chance that one of k tries succeeds, without bias: 1 − C(n−c, k) / C(n, k)."""
    if not 1 <= k <= tries:
        raise UsageError(f"pass@{k} needs at least {k} seeds, found {tries}")
    return 1 - math.comb(tries - successes, k) / math.comb(tries, k)


def mean_pass_at_k(attempts: Sequence[Attempt], k: int, measure: str = "any_medal") -> float:
    """pass@k in percent, averaged over competitions."""
    grouped = by_competition(attempts)
    values = [pass_at_k(len(g), sum(a.has(measure) for a in g), k) for g in grouped.values()]
    return 100 * math.fsum(values) / len(values)


def by_competition(attempts: Sequence[Attempt]) -> dict[str, list[Attempt]]:
    found: dict[str, list[Attempt]] = {}
    for attempt in attempts:
        found.setdefault(attempt.competition_id, []).append(attempt)
    return found


@dataclass(frozen=True)
class Interval:
    """An estimate with its 95 % interval."""

    value: float
    low: float
    high: float


def bootstrap(attempts: Sequence[Attempt], measure: str = "any_medal", seed: int = 0) -> Interval:
    """The mean percentage with resampled competitions: how much depends on their choice."""
    rates = np.array(
        [np.mean([a.has(measure) for a in group]) for group in by_competition(attempts).values()]
    )
    return _bootstrap(100 * rates, seed)


def _bootstrap(values: Any, seed: int) -> Interval:
    generator = np.random.default_rng(seed)
    draws = generator.choice(values, (RESAMPLES, len(values))).mean(axis=1)
    low, high = np.percentile(draws, [2.5, 97.5])
    return Interval(float(values.mean()), float(low), float(high))


@dataclass(frozen=True)
class Comparison:
    """Two agents on the same competitions."""

    difference: Interval
    """Percentage points, second minus first."""

    p_value: float
    """Two-sided, by flipping the sign of each competition's difference."""

    competitions: int
    wins: int
    losses: int
    ties: int
    seeds_needed: int | None
    """About how many seeds each would need for this difference to show (80 % power)."""

    per_competition: Mapping[str, float]
    """Difference in percentage points."""


def compare(
    first: Sequence[Attempt],
    second: Sequence[Attempt],
    value: Callable[[Attempt], float] = lambda attempt: float(attempt.has("any_medal")),
    seed: int = 0,
) -> Comparison:
    """Paired by competition; only those that both have count."""
    ours, theirs = by_competition(first), by_competition(second)
    shared = sorted(set(ours) & set(theirs))
    if not shared:
        raise UsageError("the two have no competition in common")
    rates = np.array(
        [[np.mean([value(a) for a in side[i]]) for side in (ours, theirs)] for i in shared]
    )
    differences = 100 * (rates[:, 1] - rates[:, 0])
    return Comparison(
        difference=_bootstrap(differences, seed),
        p_value=_sign_flip_p_value(differences, seed),
        competitions=len(shared),
        wins=int((differences > 0).sum()),
        losses=int((differences < 0).sum()),
        ties=int((differences == 0).sum()),
        seeds_needed=_seeds_needed(ours, theirs, shared, value),
        per_competition=dict(zip(shared, map(float, differences), strict=True)),
    )


def rate_difference(first: tuple[int, int], second: tuple[int, int]) -> Interval:
    """Second minus first in percentage points, of (successes, tries): Newcombe's score interval.

    It stays honest for the two or three seeds of one competition, where a normal one has no width.
    """
    one, other = (_score_interval(*side) for side in (first, second))
    value = other.value - one.value
    low = value - math.hypot(other.value - other.low, one.high - one.value)
    high = value + math.hypot(other.high - other.value, one.value - one.low)
    return Interval(value, max(-100.0, low), min(100.0, high))


def competition_intervals(
    first: Sequence[Attempt], second: Sequence[Attempt], measure: str
) -> dict[str, Interval]:
    """The difference of two agents at every competition that both have, with its interval."""
    ours, theirs = by_competition(first), by_competition(second)

    def counts(group: Sequence[Attempt]) -> tuple[int, int]:
        return sum(attempt.has(measure) for attempt in group), len(group)

    return {
        name: rate_difference(counts(ours[name]), counts(theirs[name]))
        for name in sorted(set(ours) & set(theirs))
    }


def _score_interval(successes: int, tries: int) -> Interval:
    """Wilson's 95 % interval of a rate, in percent."""
    z = 1.959964
    share = successes / tries
    middle = share + z * z / (2 * tries)
    half = z * math.sqrt(share * (1 - share) / tries + z * z / (4 * tries * tries))
    scale = 100 / (1 + z * z / tries)
    return Interval(100 * share, scale * (middle - half), scale * (middle + half))


def _sign_flip_p_value(differences: Any, seed: int) -> float:
    """Exact for up to 16 competitions that differ, else by drawing signs."""
    moved = differences[differences != 0]
    if not len(moved):
        return 1.0
    observed = abs(moved.sum()) - 1e-9
    if len(moved) <= 16:
        bits = np.arange(2 ** len(moved))[:, None] >> np.arange(len(moved)) & 1
        sums = (2 * bits - 1) @ moved
        return float(np.mean(np.abs(sums) >= observed))
    signs = np.random.default_rng(seed).choice([-1, 1], (RESAMPLES, len(moved)))
    extreme = int((np.abs(signs @ moved) >= observed).sum())
    return (extreme + 1) / (RESAMPLES + 1)


def _seeds_needed(
    ours: Mapping[str, list[Attempt]],
    theirs: Mapping[str, list[Attempt]],
    shared: Sequence[str],
    value: Callable[[Attempt], float],
) -> int | None:
    """From the spread over seeds within competitions; none where it cannot be told."""
    effect, variance = [], []
    for name in shared:
        sides = [np.array([value(a) for a in side[name]]) for side in (ours, theirs)]
        if min(map(len, sides)) < 2:
            return None
        effect.append(sides[1].mean() - sides[0].mean())
        variance.append(sides[0].var(ddof=1) + sides[1].var(ddof=1))
    gap = abs(float(np.mean(effect)))
    if gap == 0:
        return None
    spread = float(np.mean(variance)) / len(shared)
    return max(1, math.ceil(((1.96 + 0.84) / gap) ** 2 * spread))
