"""Metrics on predicted probabilities, each on cases worked by hand."""

import math

import pytest

from mlebench.metrics import binary_log_loss


def test_binary_log_loss() -> None:
    expected = -(math.log(0.8) + math.log(0.9)) / 2
    assert binary_log_loss([1, 0], [0.8, 0.1]) == pytest.approx(expected)


def test_binary_log_loss_of_a_certain_mistake_is_bounded() -> None:
    # −ln(2⁻⁵²) = 52·ln 2 = 36.04365 for the mistake, nothing for the other row.
    assert binary_log_loss([1, 0], [0, 0]) == pytest.approx(26 * math.log(2))
