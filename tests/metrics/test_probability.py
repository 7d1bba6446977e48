"""Metrics on predicted probabilities, each on cases worked by hand."""

import math

import pytest

from mlebench.metrics import (
    binary_log_loss,
    kullback_leibler_divergence,
    label_weighted_ranking_average_precision,
    mean_weighted_log_loss,
    multi_class_log_loss,
    probabilistic_f1,
)


def test_binary_log_loss() -> None:
    expected = -(math.log(0.8) + math.log(0.9)) / 2
    assert binary_log_loss([1, 0], [0.8, 0.1]) == pytest.approx(expected)


def test_binary_log_loss_of_a_certain_mistake_is_bounded() -> None:
    # −ln(2⁻⁵²) = 52·ln 2 = 36.04365 for the mistake, nothing for the other row.
    assert binary_log_loss([1, 0], [0, 0]) == pytest.approx(26 * math.log(2))


def test_multi_class_log_loss_takes_the_probability_of_the_true_class() -> None:
    true = [[1, 0, 0], [0, 0, 1]]
    # Rows are not rescaled: the second one sums to 0.5.
    expected = -(math.log(0.7) + math.log(0.2)) / 2
    assert multi_class_log_loss(true, [[0.7, 0.2, 0.1], [0.2, 0.1, 0.2]]) == pytest.approx(expected)
    # A certain mistake costs 52·ln 2 on its row.
    assert multi_class_log_loss(true, [[0, 1, 0], [0, 0, 1]]) == pytest.approx(26 * math.log(2))


def test_kullback_leibler_divergence() -> None:
    # Row 1: ½·ln(½ / ¼) + ½·ln(½ / ½) = ½·ln 2; row 2: 1·ln(1 / ½) = ln 2, its zero adds nothing.
    truth, predicted = [[0.5, 0.5, 0], [0, 1, 0]], [[0.25, 0.5, 0.25], [0.5, 0.5, 0]]
    assert kullback_leibler_divergence(truth, predicted) == pytest.approx(0.75 * math.log(2))


def test_kullback_leibler_divergence_of_a_missed_class_is_bounded() -> None:
    assert kullback_leibler_divergence([[1, 0]], [[0, 1]]) == pytest.approx(15 * math.log(10))


def test_mean_weighted_log_loss() -> None:
    # Group 0: (2·ln 2 + 1·ln 4) / 3; group 1: one certain hit. Columns: label, weight, group.
    truth = [[1, 2, 0], [0, 1, 0], [1, 14, 1]]
    expected = 4 / 3 * math.log(2) / 2
    assert mean_weighted_log_loss(truth, [0.5, 0.75, 1]) == pytest.approx(expected)


def test_probabilistic_f1() -> None:
    # Hits 0.9 + 0.3 = 1.2 of 2 positives, all predictions 1.5: precision 0.8, recall 0.6.
    assert probabilistic_f1([1, 1, 0], [0.9, 0.3, 0.3]) == pytest.approx(0.96 / 1.4)
    assert probabilistic_f1([1, 0], [7, -3]) == 1
    assert probabilistic_f1([1, 0], [0, 0.5]) == 0


def test_label_weighted_ranking_average_precision() -> None:
    # Row 1: the true labels are at ranks 1 and 3: 1/1 and 2/3; row 2: rank 2 of a tie of two.
    truth, scores = [[1, 0, 1, 0], [1, 0, 0, 0]], [[9, 5, 2, -1], [1, 1, 0, 0]]
    expected = (1 + 2 / 3 + 1 / 2) / 3
    found = label_weighted_ranking_average_precision(truth, scores)
    assert found == pytest.approx(expected)


def test_constant_scores_rank_every_label_last() -> None:
    # Σ|T|² / (classes · Σ|T|) = (4 + 1) / (4 · 3), and a row without labels does not count.
    truth = [[1, 1, 0, 0], [0, 0, 0, 1], [0, 0, 0, 0]]
    found = label_weighted_ranking_average_precision(truth, [[0.5] * 4] * 3)
    assert found == pytest.approx(5 / 12)
