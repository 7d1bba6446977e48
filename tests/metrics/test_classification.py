"""Metrics on class labels, each against a case worked by hand."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from mlebench.metrics import (
    accuracy,
    macro_f1,
    matthews_correlation,
    micro_f1,
    quadratic_kappa,
    quadratic_kappa_of_values,
    top_1_error,
)

ALL = [accuracy, macro_f1, matthews_correlation, micro_f1, quadratic_kappa, top_1_error]

LABELS = st.one_of(
    st.lists(st.tuples(st.integers(-3, 6), st.integers(-3, 6)), min_size=1),
    st.lists(
        st.tuples(st.integers(-(2**63), 2**63 - 1), st.sampled_from([-(2**63), 0, 2**62])),
        min_size=1,
    ),
    st.lists(st.tuples(st.sampled_from([0.5, 1e-20, -1.0, 3.0]), st.floats(-2, 2)), min_size=1),
    st.lists(st.tuples(st.text("ab", max_size=2), st.text("ab", max_size=2)), min_size=1),
)


@given(LABELS)
def test_every_label_counts_on_both_sides(rows: list) -> None:
    truth, prediction = (list(side) for side in zip(*rows, strict=True))
    labels = sorted({*truth, *prediction})
    scores = [
        2 * rows.count((label, label)) / (truth.count(label) + prediction.count(label))
        for label in labels
    ]
    assert macro_f1(truth, prediction) == pytest.approx(sum(scores) / len(labels))
    places = [[labels.index(label) for label in row] for row in rows]
    observed = sum((a - b) ** 2 for a, b in places)
    expected = sum((a - b) ** 2 for a, _ in places for _, b in places) / len(rows)
    if expected:
        assert quadratic_kappa(truth, prediction) == pytest.approx(1 - observed / expected)


def test_shares_of_equal_labels():
    truth, prediction = ["a", "b", "b", "c"], ["a", "b", "c", "C"]
    assert accuracy(truth, prediction) == 0.5
    assert micro_f1(truth, prediction) == 0.5
    assert top_1_error(truth, prediction) == 0.5


def test_numbers_never_equal_names():
    assert accuracy(np.array(["1", "2"], dtype=object), np.array([1, 2])) == 0


def test_macro_f1_counts_a_class_that_is_only_predicted():
    # class 0: 2·1/(2·1+0+1) = 2/3, class 1: 2·1/(2·1+1+0) = 2/3, classes 2 and 3: 0; mean 1/3
    assert macro_f1([0, 0, 1, 2], [0.0, 1.0, 1.0, 3.0]) == pytest.approx(1 / 3)


def test_quadratic_kappa_by_hand():
    # Places: truth 0 1 2 2, prediction 0 2 2 1; disagreement 2, expected 22/4; 1 - 2/5.5
    assert quadratic_kappa([1, 2, 3, 3], [1, 3, 3, 2]) == pytest.approx(7 / 11)


def test_quadratic_kappa_weighs_places_not_values():
    # Places: truth 0 1 2, prediction 0 2 2; disagreement 1, expected 15/3
    assert quadratic_kappa([1, 2, 60], [1, 60, 60]) == pytest.approx(0.8)


def test_quadratic_kappa_of_constants():
    assert quadratic_kappa([1, 2, 3, 3], [2, 2, 2, 2]) == 0
    assert math.isnan(quadratic_kappa([3, 3], [3, 3]))


def test_quadratic_kappa_needs_no_matrix_of_all_labels():
    labels = np.arange(300_000)
    assert quadratic_kappa(labels, labels) == 1


def test_matthews_correlation_by_hand():
    # Two true and one false alarm, one true rest: (2·1 - 1·0) / sqrt(3·2·2·1)
    assert matthews_correlation([1, 1, 0, 0], [1, 1, 1, 0]) == pytest.approx(1 / math.sqrt(3))
    # s = 3, c = 2, counts 1 2 0 and 1 1 1: (6 - 3) / sqrt((9 - 5)·(9 - 3))
    assert matthews_correlation([0, 1, 2], [0, 1, 1]) == pytest.approx(3 / math.sqrt(24))
    assert matthews_correlation([0, 1, 0], [0, 0, 0]) == 0


@pytest.mark.parametrize("metric", ALL, ids=lambda metric: metric.name)
def test_only_equality_and_order_of_labels_count(metric):
    # Near numbers, far numbers, fractions and names take different ways to the same places.
    random = np.random.default_rng(1)
    truth, guess = random.integers(0, 5, (2, 100))
    expected = metric(truth, guess)
    for stretched in (lambda k: k - 3.0, lambda k: k * 10**12, lambda k: k / 8):
        assert metric(stretched(truth), stretched(guess)) == pytest.approx(expected)
    names = np.array(list("abcde"), dtype=object)
    assert metric(names[truth], names[guess]) == pytest.approx(expected)


@pytest.mark.parametrize("metric", ALL, ids=lambda metric: metric.name)
def test_row_order_does_not_matter_and_the_truth_is_best(metric):
    random = np.random.default_rng(0)
    truth, guess = random.integers(0, 5, (2, 200))
    order = random.permutation(200)
    assert metric(truth[order], guess[order]) == pytest.approx(metric(truth, guess), abs=1e-12)
    best, other = metric(truth, truth), metric(truth, guess)
    assert best == (0 if metric.is_lower_better else 1)
    assert best < other if metric.is_lower_better else best > other
    assert type(other) is float


def test_quadratic_kappa_of_values_is_that_of_scikit_learn_with_all_labels():
    truth, prediction = [1, 2, 6, 6, 4], [1, 6, 6, 1, 2]
    expected = cohen_kappa_score(truth, prediction, labels=range(1, 7), weights="quadratic")
    assert quadratic_kappa_of_values(truth, prediction) == pytest.approx(expected)
    assert quadratic_kappa_of_values(truth, truth) == 1
    assert np.isnan(quadratic_kappa_of_values([2, 2], [2, 2]))
