"""Tests and intervals of the probes; all tests are one-sided, towards knowledge."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from statistics import NormalDist

import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from mlebench.records.contamination import ProbeResult

LEVEL = 0.01
"""A probe detects something if its p-value, corrected for all tests, is below this."""

PERMUTATIONS = 10_000
RESAMPLES = 2000
MATCHINGS = 100_000
"""Enough draws that a test over all competitions can pass the correction for hundreds of tests."""

POWER_SIGMAS = NormalDist().inv_cdf(0.975) + NormalDist().inv_cdf(0.8)
"""The distance of a two-sided 5 % test with 80 % power, in standard errors."""


def holm(p_values: Sequence[float]) -> list[float]:
    """The p-values after Holm's correction, in the same order."""
    order = np.argsort(p_values, kind="stable")
    scaled = np.asarray(p_values)[order] * np.arange(len(order), 0, -1)
    found = np.empty(len(order))
    found[order] = np.minimum(np.maximum.accumulate(scaled), 1.0)
    return [float(value) for value in found]


def corrected(results: Sequence[ProbeResult]) -> list[ProbeResult]:
    """The results with corrected p-values, over all that have one."""
    values = iter(holm([r.p for r in results if r.p is not None]))
    return [
        r if r.p is None else structs.replace(r, p_holm=(p := next(values)), is_detected=p < LEVEL)
        for r in results
    ]


def at_least_by_chance(hits: int, n: int, chance: float) -> float:
    """The probability of as many hits or more, if each has the same chance."""
    from scipy.stats import binom

    return float(binom.sf(hits - 1, n, chance)) if hits else 1.0


def sharded_t(differences: Sequence[float]) -> float:
    """One-sided t-test: are the differences above 0?"""
    from scipy.stats import ttest_1samp

    values = np.asarray(differences, dtype=np.float64)
    if len(values) < 2 or not values.std():
        return 1.0
    return float(ttest_1samp(values, 0.0, alternative="greater").pvalue)


def sign_flip(differences: NDArray[np.float64]) -> float:
    """One-sided: how often random signs yield as large a sum; exact for up to 16 differences."""
    if not differences.any():
        return 1.0
    observed = differences.sum() - 1e-12
    if len(differences) <= 16:
        bits = np.arange(2 ** len(differences))[:, None] >> np.arange(len(differences)) & 1
        return float(np.mean((2 * bits - 1) @ differences >= observed))
    signs = np.random.default_rng(0).choice([-1, 1], (PERMUTATIONS, len(differences)))
    return float(((signs @ differences >= observed).sum() + 1) / (PERMUTATIONS + 1))


def bootstrap_p(differences: Sequence[float]) -> float:
    """One-sided: the share of resampled means that are not above 0."""
    means = resampled_means(np.asarray(differences, dtype=np.float64))
    return float(((means <= 0).sum() + 1) / (PERMUTATIONS + 1))


def resampled_means(values: NDArray[np.float64], seed: int = 0) -> NDArray[np.float64]:
    """Means of resampled values: as many as given, drawn with replacement."""
    generator = np.random.default_rng(seed)
    means: NDArray[np.float64] = generator.choice(values, (PERMUTATIONS, len(values))).mean(axis=1)
    return means


def conformal_p(value: float, others: Sequence[float]) -> float:
    """The share of exchangeable values that are at least as large, the value itself included."""
    return (1 + sum(other >= value for other in others)) / (1 + len(others))


def matching_p(hits: NDArray[np.bool_]) -> tuple[int, float, float]:
    """Answers against names: hits on the diagonal, the expected number, a permutation p-value.

    Args:
        hits: whether the answer to question i names the object j.
    """
    n = len(hits)
    observed = int(np.trace(hits))
    rows = np.arange(n)
    orders = np.random.default_rng(0).permuted(
        np.tile(rows.astype(np.int32), (MATCHINGS, 1)), axis=1
    )
    sums = hits[rows, orders].sum(axis=1)
    expected = float(hits.sum() / n) if n else 0.0
    return observed, expected, float(((sums >= observed).sum() + 1) / (MATCHINGS + 1))


def bootstrap_interval(
    statistic: Callable[[NDArray[np.int64]], float], n: int
) -> tuple[float, float]:
    """The 95 % interval of a statistic over resampled indices; NaN if no draw has a value."""
    generator = np.random.default_rng(0)
    found = [statistic(generator.integers(0, n, n)) for _ in range(RESAMPLES)]
    values = [value for value in found if math.isfinite(value)]
    if not values:
        return math.nan, math.nan
    low, high = np.percentile(values, [2.5, 97.5])
    return float(low), float(high)


def detectable_correlation(n: int) -> float:
    """The smallest correlation found with 80 % power at 5 %, by Fisher's transformation."""
    return math.tanh(POWER_SIGMAS / math.sqrt(n - 3)) if n > 3 else 1.0
