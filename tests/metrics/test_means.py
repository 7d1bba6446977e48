"""Means over blocks of rows, beside numpy's over all of them."""

import math

import numpy as np
import pytest

from mlebench.metrics.means import ROWS_AT_ONCE, mean_of_rows


@pytest.mark.parametrize(
    "rows", [1, 7, 129, ROWS_AT_ONCE, ROWS_AT_ONCE + 1, 2 * ROWS_AT_ONCE + 9, 9 * ROWS_AT_ONCE + 77]
)
def test_every_bit_is_as_numpy_has_it(rows: int) -> None:
    values = np.random.default_rng(rows).normal(size=rows) * 1e3
    assert mean_of_rows(lambda part: values[part], rows).score == np.mean(values)


def test_nothing_has_no_mean() -> None:
    assert math.isnan(mean_of_rows(lambda part: np.zeros(0)[part], 0).score)
