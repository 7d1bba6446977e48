"""The interval of a difference of two rates, against published figures."""

from __future__ import annotations

import pytest

from mlebench.results.statistics import rate_difference


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        # Newcombe (1998), Statistics in Medicine 17, table II, method 10.
        ((48, 80), (56, 70), (20.00, 5.24, 33.39)),
        ((3, 10), (9, 10), (60.00, 17.05, 80.90)),
        ((0, 20), (10, 10), (100.00, 67.91, 100.00)),
        ((0, 10), (0, 10), (0.00, -27.75, 27.75)),
    ],
)
def test_published_figures(
    first: tuple[int, int], second: tuple[int, int], expected: tuple[float, float, float]
) -> None:
    found = rate_difference(first, second)
    assert (found.value, found.low, found.high) == pytest.approx(expected, abs=0.006)


def test_turned_round() -> None:
    there, back = rate_difference((1, 3), (3, 3)), rate_difference((3, 3), (1, 3))
    assert (there.value, there.low) == pytest.approx((-back.value, -back.high))
