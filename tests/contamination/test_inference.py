"""Tests and intervals against scipy, or worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from mlebench.contamination.inference import (
    at_least_by_chance,
    bootstrap_p,
    conformal_p,
    corrected,
    detectable_correlation,
    holm,
    matching_p,
    sharded_t,
    sign_flip,
)
from mlebench.contamination.performance import correlate
from mlebench.contamination.recall_probes import rouge_l
from mlebench.records.contamination import ProbeResult


def test_holm_by_hand() -> None:
    """0.01 · 4, 0.02 · 3, 0.03 · 2, 0.04 · 1: none may be below the one before it."""
    assert holm([0.04, 0.01, 0.03, 0.02]) == pytest.approx([0.06, 0.04, 0.06, 0.06])
    assert holm([0.6, 0.7]) == [1.0, 1.0]
    assert holm([]) == []


def test_only_tests_are_corrected() -> None:
    results = [
        ProbeResult("rows", str(k), "s", 0.0, 0.0, 1, p) for k, p in enumerate([0.004, None])
    ]
    first, second = corrected(results)
    assert (first.p_holm, first.is_detected) == (0.004, True)
    assert (second.p_holm, second.is_detected) == (None, False)


def test_binomial_tail_by_hand() -> None:
    assert at_least_by_chance(2, 3, 0.5) == pytest.approx(0.5)
    assert at_least_by_chance(0, 3, 0.5) == 1.0
    assert at_least_by_chance(3, 3, 0.1) == pytest.approx(0.001)


def test_t_test_like_scipy() -> None:
    values = [0.3, 1.2, -0.1, 0.8, 0.5]
    assert sharded_t(values) == pytest.approx(stats.ttest_1samp(values, 0).pvalue / 2)
    assert sharded_t([1.0, 1.0]) == 1.0


def test_sign_flip_by_hand() -> None:
    """Of eight sign patterns of 1, 2, 3 one has the sum 6, and two have 4 or more."""
    assert sign_flip(np.array([1.0, 2, 3])) == 1 / 8
    assert sign_flip(np.array([-1.0, 2, 3])) == 2 / 8
    many = np.random.default_rng(0).normal(0.5, 1, 40)
    normal = stats.norm.sf(many.sum() / math.sqrt((many**2).sum()))
    assert sign_flip(many) == pytest.approx(normal, abs=0.005)


def test_bootstrap_and_conformal() -> None:
    assert bootstrap_p([1.0, 2.0, 3.0]) == pytest.approx(1 / 10001)
    assert bootstrap_p([-1.0, 1.0]) == pytest.approx(0.75, abs=0.02)
    assert conformal_p(2.0, [1.0, 2.0, 3.0]) == 3 / 4


def test_matching_by_hand() -> None:
    """Three right answers out of three: one of six permutations."""
    observed, expected, p = matching_p(np.eye(3, dtype=bool))
    assert (observed, expected) == (3, 1.0)
    assert p == pytest.approx(1 / 6, abs=0.02)


def test_detectable_correlation_has_80_percent_power() -> None:
    """75 points show r = 0.32 with 80 % power, and r = 0.2 with about 41 %, as published."""
    r = detectable_correlation(75)
    assert r == pytest.approx(0.319, abs=0.001)
    power = stats.norm.sf(1.96 - math.atanh(r) * math.sqrt(72))
    assert power == pytest.approx(0.8, abs=0.001)
    assert stats.norm.sf(1.96 - math.atanh(0.2) * math.sqrt(72)) == pytest.approx(0.41, abs=0.01)


def test_correlation_like_scipy() -> None:
    generator = np.random.default_rng(3)
    x = {f"c{k}": float(v) for k, v in enumerate(generator.normal(size=30))}
    y = {name: v + float(generator.normal()) for name, v in x.items()}
    n, found = correlate(x, y | {"other": 1.0})
    names = sorted(x)
    one, other = [x[n] for n in names], [y[n] for n in names]
    assert n == 30
    assert found["pearson"] == pytest.approx(stats.pearsonr(one, other).statistic, abs=1e-6)
    assert found["pearson_p"] == pytest.approx(stats.pearsonr(one, other).pvalue, abs=1e-6)
    assert found["spearman"] == pytest.approx(stats.spearmanr(one, other).statistic, abs=1e-6)
    assert found["low"] < found["spearman"] < found["high"]
    result = stats.bootstrap(
        (one, other), lambda a, b: stats.spearmanr(a, b).statistic, paired=True, vectorized=False,
        n_resamples=1000, method="percentile", rng=np.random.default_rng(1),
    )  # fmt: skip
    assert found["low"] == pytest.approx(result.confidence_interval.low, abs=0.06)
    assert found["high"] == pytest.approx(result.confidence_interval.high, abs=0.06)
    assert correlate({"a": 1.0}, {"a": 2.0}) is None


def test_rouge_l_by_hand() -> None:
    """Common subsequence `the cat sat`: 2 · 3 / (4 + 5)."""
    assert rouge_l("the cat now sat", "The cat, it sat down") == pytest.approx(6 / 9)
    assert rouge_l("", "a") == 0.0
