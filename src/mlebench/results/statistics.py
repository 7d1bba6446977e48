"""Statistics beyond the mean: pass@k, bootstrap, paired comparison of two agents."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mlebench.errors import UsageError
from mlebench.results.attempts import Attempt, by_competition

RESAMPLES = 10_000
SEED = 0
Values = Mapping[str, Sequence[float]]
"""For each competition the value of each attempt, such as 1 for a medal."""


def pass_at_k(tries: int, successes: int, k: int) -> float:
    """Unbiased estimate of the chance that one of k tries succeeds: 1 − C(n−c, k) / C(n, k)."""
    if not 1 <= k <= tries:
        raise UsageError(f"pass@{k} needs at least {k} seeds, found {tries}")
    return 1 - math.comb(tries - successes, k) / math.comb(tries, k)


def mean_pass_at_k(attempts: Sequence[Attempt], k: int) -> float:
    """pass@k of any medal in percent, averaged over competitions."""
    grouped = by_competition(attempts)
    values = [pass_at_k(len(g), sum(a.has("any_medal") for a in g), k) for g in grouped.values()]
    return 100 * math.fsum(values) / len(values)


@dataclass(frozen=True)
class Interval:
    """An estimate with its 95 % interval."""

    value: float
    low: float
    high: float


def bootstrap(attempts: Sequence[Attempt]) -> Interval:
    """The mean percentage of any medal, with an interval over resampled competitions.

    The interval shows how much the mean depends on the choice of competitions.
    """
    rates = np.array(
        [np.mean([a.has("any_medal") for a in own]) for own in by_competition(attempts).values()]
    )
    return _bootstrap(100 * rates)


def _bootstrap(values: NDArray[np.float64]) -> Interval:
    draws = np.random.default_rng(SEED).choice(values, (RESAMPLES, len(values))).mean(axis=1)
    low, high = np.percentile(draws, [2.5, 97.5])
    return Interval(float(values.mean()), float(low), float(high))


@dataclass(frozen=True)
class Comparison:
    """Two agents on the same competitions."""

    difference: Interval
    """Percentage points, second minus first."""

    p_value: float
    """Two-sided, by a sign-flip test over the competitions' differences."""

    competitions: int
    wins: int
    losses: int
    ties: int
    seeds_needed: int | None
    """Approximate number of seeds at which this difference is significant (80 % power)."""

    per_competition: Mapping[str, float]
    """Difference in percentage points."""


def compare(
    first: Sequence[Attempt],
    second: Sequence[Attempt],
    value: Callable[[Attempt], float] = lambda attempt: float(attempt.has("any_medal")),
) -> Comparison:
    """Two lists of attempts, paired by competition."""
    ours, theirs = (
        {name: [value(a) for a in own] for name, own in by_competition(attempts).items()}
        for attempts in (first, second)
    )
    return compare_values(ours, theirs)


def compare_values(first: Values, second: Values) -> Comparison:
    """Paired by competition; a competition that only one side has does not count."""
    shared = sorted(set(first) & set(second))
    if not shared:
        raise UsageError("the two have no competition in common")
    rates = np.array([[np.mean(side[name]) for side in (first, second)] for name in shared])
    differences = 100 * (rates[:, 1] - rates[:, 0])
    return Comparison(
        difference=_bootstrap(differences),
        p_value=_sign_flip_p_value(differences),
        competitions=len(shared),
        wins=int((differences > 0).sum()),
        losses=int((differences < 0).sum()),
        ties=int((differences == 0).sum()),
        seeds_needed=_seeds_needed([(first[name], second[name]) for name in shared]),
        per_competition=dict(zip(shared, map(float, differences), strict=True)),
    )


def rate_difference(first: tuple[int, int], second: tuple[int, int]) -> Interval:
    """Second minus first in percentage points, of (successes, tries): Newcombe's score interval.

    It is valid for the two or three seeds of one competition, where a normal interval can have
    no width.
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
    ours, theirs = (
        {name: (sum(a.has(measure) for a in own), len(own)) for name, own in grouped.items()}
        for grouped in (by_competition(first), by_competition(second))
    )
    return {
        name: rate_difference(ours[name], theirs[name]) for name in sorted(set(ours) & set(theirs))
    }


def _score_interval(successes: int, tries: int) -> Interval:
    """Wilson's 95 % interval of a rate, in percent."""
    z = 1.959964
    share = successes / tries
    middle = share + z * z / (2 * tries)
    half = z * math.sqrt(share * (1 - share) / tries + z * z / (4 * tries * tries))
    scale = 100 / (1 + z * z / tries)
    return Interval(100 * share, scale * (middle - half), scale * (middle + half))


def _sign_flip_p_value(differences: NDArray[np.float64]) -> float:
    """Exact for up to 16 competitions that differ, else over random signs."""
    moved = differences[differences != 0]
    if not len(moved):
        return 1.0
    observed = abs(moved.sum()) - 1e-9
    if len(moved) <= 16:
        bits = np.arange(2 ** len(moved))[:, None] >> np.arange(len(moved)) & 1
        sums = (2 * bits - 1) @ moved
        return float(np.mean(np.abs(sums) >= observed))
    signs = np.random.default_rng(SEED).choice([-1, 1], (RESAMPLES, len(moved)))
    extreme = int((np.abs(signs @ moved) >= observed).sum())
    return (extreme + 1) / (RESAMPLES + 1)


def _seeds_needed(pairs: Sequence[tuple[Sequence[float], Sequence[float]]]) -> int | None:
    """From the variance over seeds within competitions; None with one seed or no difference."""
    if min(len(side) for pair in pairs for side in pair) < 2:
        return None
    gap = abs(float(np.mean([np.mean(second) - np.mean(first) for first, second in pairs])))
    if gap == 0:
        return None
    variances = [np.var(first, ddof=1) + np.var(second, ddof=1) for first, second in pairs]
    spread = float(np.mean(variances)) / len(pairs)
    return max(1, math.ceil(((1.96 + 0.84) / gap) ** 2 * spread))
