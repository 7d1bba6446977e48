"""Five digits come from numpy's rounding or from Python's, as in the published grader."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mlebench.grading.grade import round_score


@pytest.mark.parametrize(
    ("score", "by_numpy", "by_python"),
    [(0.871875, 0.87188, 0.87187), (0.790625, 0.79062, 0.79063), (2.5, 2.5, 2.5)],
)
def test_halves_differ(score: float, by_numpy: float, by_python: float) -> None:
    assert round_score(score) == by_numpy
    assert round_score(score, "python") == by_python


@given(st.floats(allow_nan=False, allow_infinity=False, min_value=-1e300, max_value=1e300))
def test_equals_what_numpy_returns(score: float) -> None:
    assert round_score(score) == np.round(score, 5)


def test_what_cannot_be_scaled_is_infinite() -> None:
    assert round_score(1e306) == float("inf")
