"""Metrics on numbers, each on cases worked by hand."""

import math

import numpy as np
import pytest

from mlebench.metrics import (
    laplace_log_likelihood,
    log_mean_absolute_error_by_group,
    mean_absolute_error,
    mean_angular_error,
    mean_column_root_mean_squared_error,
    mean_column_root_mean_squared_log_error,
    mean_column_spearman,
    mean_distance_percentiles,
    pearson_correlation,
    root_mean_squared_error,
)
from mlebench.metrics.regression import group_quantiles


def test_root_mean_squared_error() -> None:
    assert root_mean_squared_error([1, 2, 3, 4], [1, 2, 3, 8]) == 2


def test_mean_absolute_error() -> None:
    assert mean_absolute_error([1, 2, 3], [2, 0, 3]) == 1


def test_mean_column_root_mean_squared_error() -> None:
    # Column 1: √((3² + 4² + 0² + 0²) / 4) = 2.5; column 2: no error.
    truth, predicted = [[0, 1], [0, 1], [0, 1], [0, 1]], [[3, 1], [-4, 1], [0, 1], [0, 1]]
    assert mean_column_root_mean_squared_error(truth, predicted) == 1.25


def test_mean_column_root_mean_squared_log_error() -> None:
    # ln(1 + e² − 1) − ln(1 + 0) = 2 in the first column, none in the second.
    found = mean_column_root_mean_squared_log_error([[0, 5]], [[math.e**2 - 1, 5]])
    assert found == pytest.approx(1)


def test_log_mean_absolute_error_by_group() -> None:
    # Columns: value, group. Group 0 is off by 2, group 1 by 8: (ln 2 + ln 8) / 2 = ln 4.
    metric = log_mean_absolute_error_by_group(floor=1e-9)
    assert metric([[0, 0], [0, 1], [0, 0]], [1, 8, -3]) == pytest.approx(math.log(4))


def test_an_exact_group_gives_the_lowest_score() -> None:
    metric = log_mean_absolute_error_by_group(floor=1e-9)
    assert metric([[5, 0], [7, 0]], [5, 7]) == pytest.approx(-20.7232658)
    assert metric([[5, 0], [7, 1]], [5, 9]) == pytest.approx(-20.7232658)


def test_each_group_has_a_floor() -> None:
    """One of two groups is exact, the other is off by e^2."""
    metric = log_mean_absolute_error_by_group(floor=1e-9, of_each=True)
    assert metric([[5, 0], [7, 0]], [5, 7]) == pytest.approx(math.log(1e-9))
    found = metric([[5, 0], [7, 1]], [5, 7 + math.exp(2)])
    assert found == pytest.approx((math.log(1e-9) + 2) / 2)


def test_laplace_log_likelihood() -> None:
    metric = laplace_log_likelihood(max_error=1000, min_deviation=70)
    # The best possible: no error, deviation at its limit: −ln(70·√2).
    assert metric([2000], [[2000, 1]]) == pytest.approx(-4.59507, abs=1e-5)
    # An error of 3000 counts as 1000: −√2·1000 / 100 − ln(100·√2).
    assert metric([2000], [[5000, 100]]) == pytest.approx(-10 * math.sqrt(2) - 4.95174, abs=1e-5)


def test_mean_angular_error() -> None:
    # Straight up against the horizon: π/2; the same direction a turn further: 0; opposite: π.
    truth = [[0, 0], [1, 1], [0, math.pi / 2]]
    predicted = [[3, math.pi / 2], [1 + 2 * math.pi, 1], [math.pi, math.pi / 2]]
    assert mean_angular_error(truth, predicted) == pytest.approx(math.pi / 2, abs=1e-7)


def test_mean_distance_percentiles() -> None:
    # One degree of latitude is R·π/180 = 111,194.93 m. Columns: latitude, longitude, group.
    degree = 6_371_000 * math.pi / 180
    truth = [[0, 0, 0], [0, 0, 1], [0, 0, 0]]
    predicted = [[1, 0], [2, 0], [0, 0]]
    # Group 0: quantiles of (0, 1) are 0.5 and 0.95; group 1: 2 and 2.
    expected = degree * ((0.5 + 0.95) / 2 + 2) / 2
    assert mean_distance_percentiles(truth, predicted) == pytest.approx(expected)


def test_pearson_correlation() -> None:
    # Deviations (−1, 0, 1) and (−1, 1, 0): 1 / √(2 · 2).
    assert pearson_correlation([1, 2, 3], [0, 2, 1]) == pytest.approx(0.5)
    assert pearson_correlation([1, 2, 3], [3e200, 2e200, 1e200]) == pytest.approx(-1)
    assert math.isnan(pearson_correlation([1, 2, 3], [0.1, 0.1, 0.1]))


def test_mean_column_spearman() -> None:
    # Column 1 keeps the order; column 2: ranks (1, 2, 3) against (1, 2.5, 2.5): 1.5 / √(2 · 1.5).
    truth, predicted = [[1, 1], [2, 2], [3, 3]], [[0, 5], [7, 6], [99, 6]]
    expected = (1 + 1.5 / math.sqrt(3)) / 2
    assert mean_column_spearman(truth, predicted) == pytest.approx(expected)
    assert math.isnan(mean_column_spearman(truth, [[0, 5], [7, 5], [99, 5]]))


@pytest.mark.parametrize("is_grouped", [True, False])
@pytest.mark.parametrize("groups", [1, 3, 2000, 70_000])
def test_group_quantiles_are_numpys(groups: int, is_grouped: bool) -> None:
    random = np.random.default_rng(0)
    numbers = np.append(np.arange(groups), random.integers(0, groups, 80_000))
    numbers = np.sort(numbers) if is_grouped else numbers
    values = random.choice([-1e9, -0.5, 0.0, 0.25, 7.0], len(numbers)) * random.random(len(numbers))
    found = group_quantiles(values, numbers, (0.0, 0.5, 0.95))
    for group in (0, groups // 2, groups - 1):
        expected = np.quantile(values[numbers == group], (0.0, 0.5, 0.95))
        assert found[group] == pytest.approx(expected)
