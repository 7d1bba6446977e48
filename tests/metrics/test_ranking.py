"""Areas under the ROC curve, each on cases worked by hand."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from sklearn.metrics import roc_auc_score

from mlebench.metrics import (
    bias_ranking_auc,
    bias_roc_auc,
    mean_column_roc_auc,
    roc_auc,
    weighted_roc_auc,
)

LOW_ALARMS_TWICE = weighted_roc_auc(cuts=[0.4], weights=[2, 1])

# Label, group, prediction; both halves of the table have two toxic and two clean rows.
ROWS = [
    (1, 1, 1.0),
    (1, 1, 0.49),
    (0, 1, math.nan),
    (0, 1, 0.0),
    (1, 0, 0.5),
    (1, 0, 0.9),
    (0, 0, 7.0),
    (0, 0, -1.0),
]
PREDICTED = [row[2] for row in ROWS]


def test_roc_auc_counts_pairs_and_half_of_ties() -> None:
    # Pairs (positive, negative): 0.8>0.3, 0.8>0.5, 0.5>0.3 are right, 0.5=0.5 is half: 3.5 of 4.
    assert roc_auc([1, 0, 1, 0], [0.8, 0.3, 0.5, 0.5]) == 0.875


@given(hnp.arrays(float, 40, elements=st.sampled_from([-1, -0.0, 0.0, 0.25, 1, np.inf])))
def test_area_is_the_share_of_right_pairs(scores: np.ndarray) -> None:
    truth = np.arange(40) % 3 == 0
    pairs = [(high > low) + (high == low) / 2 for high in scores[truth] for low in scores[~truth]]
    assert roc_auc(truth, scores) == pytest.approx(sum(pairs) / len(pairs))


def test_area_of_many_rows() -> None:
    # Every value occurs once in either class, so half of all pairs are right; then a tie is won.
    many = 400_000
    scores = np.tile(np.arange(many, dtype=float), 2)
    truth = np.arange(2 * many) >= many
    assert roc_auc(truth, scores) == 0.5
    scores[-1] += 1
    assert roc_auc(truth, scores) == (many * many + 1) / 2 / (many * many)


def test_one_class_gives_no_number() -> None:
    assert math.isnan(roc_auc([1, 1], [0.2, 0.3]))
    assert math.isnan(LOW_ALARMS_TWICE([0, 0], [0.2, 0.3]))
    assert math.isnan(bias_roc_auc([[1, 1], [0, 0]], [1, 0]))


def test_mean_column_roc_auc() -> None:
    truth = [[1, 0], [0, 1], [0, 1]]
    scores = [[0.9, 0.1], [0.1, 0.9], [0.2, 0.1]]
    # First column: both pairs right. Second: 0.9>0.1 right, 0.1=0.1 half.
    assert mean_column_roc_auc(truth, scores) == (1 + 0.75) / 2


def test_weighted_roc_auc() -> None:
    # Curve (0,0) (0,½) (½,½) (½,1) (1,1): 0.4 below the cut, ½·0.1 + ½·0.6 = 0.35 above it.
    score = LOW_ALARMS_TWICE([1, 0, 1, 0], [90, 80, 70, -10])
    assert score == pytest.approx((2 * 0.4 + 0.35) / 1.4)


def test_weighted_roc_auc_cuts_a_slope_where_it_crosses() -> None:
    # All tied: the diagonal. 0.08 + 0.24 below the cut, 0.18 above it.
    assert LOW_ALARMS_TWICE([1, 0, 0], [3, 3, 3]) == pytest.approx((2 * 0.32 + 0.18) / 1.4)


def test_weighted_roc_auc_of_perfect_and_reversed_scores() -> None:
    assert LOW_ALARMS_TWICE([0, 1, 1], [0, 1, 2]) == pytest.approx(1)
    assert LOW_ALARMS_TWICE([0, 1, 1], [2, 1, 0]) == 0


def test_bias_roc_auc_with_one_group() -> None:
    truth = [[label, group] for label, group, _ in ROWS]
    # All rows: 3 of 4 found, 1 of 4 false: 0.75. In the group: 1 of 2, 0 of 2: 0.75. Its clean and
    # the others' toxic rows: 2 of 2, 0 of 2: 1. Its toxic and the others' clean: 1 of 2, 1 of 2: ½.
    assert bias_roc_auc(truth, PREDICTED) == pytest.approx((0.75 + 0.75 + 1 + 0.5) / 4)


def test_bias_roc_auc_takes_power_means_over_groups() -> None:
    truth = [[label, group, 1 - group] for label, group, _ in ROWS]
    # The second group swaps the last two areas, so both means are ((1 + 2⁵) / 2)^(−1/5) = 0.570825.
    expected = (0.75 + 0.75 + 2 * 0.5708252) / 4
    assert bias_roc_auc(truth, PREDICTED) == pytest.approx(expected, abs=1e-6)


def test_a_group_that_is_always_judged_wrong_brings_its_means_to_zero() -> None:
    assert bias_roc_auc([[1, 1], [0, 1], [1, 0], [0, 0]], [0, 1, 0, 1]) == 0


def test_bias_ranking_auc_with_one_group() -> None:
    truth = [[label, group] for label, group, _ in ROWS]
    ranked = [0.9, 0.3, 0.4, 0.1, 0.5, 0.8, 0.7, 0.2]
    # All: of 16 pairs 0.9, 0.8, 0.5 and 0.3 beat 4, 4, 3 and 2. In the group: 2 and 1 of 2 each.
    # Its clean (0.4, 0.1) and the others' toxic rows (0.5, 0.8): all 4 of 4. Its toxic (0.9, 0.3)
    # and the others' clean rows (0.7, 0.2): 2 and 1 of 2 each.
    assert bias_ranking_auc(truth, ranked) == pytest.approx((13 / 16 + 3 / 4 + 1 + 3 / 4) / 4)
    # Ranking is all that counts, whatever side of one half a prediction is on.
    assert bias_ranking_auc(truth, np.array(ranked) / 2) == bias_ranking_auc(truth, ranked)


def test_bias_ranking_auc_is_that_of_scikit_learn() -> None:
    r = np.random.default_rng(7)
    truth, scores = r.random((300, 4)), r.random(300).round(2)
    label, groups = truth[:, 0] >= 0.5, truth[:, 1:].T >= 0.5
    means = []
    for chosen in (lambda g: g, lambda g: g != label, lambda g: g == label):
        areas = [roc_auc_score(label[chosen(g)], scores[chosen(g)]) for g in groups]
        means.append(np.mean([area**-5 for area in areas]) ** (-1 / 5))
    expected = (roc_auc_score(label, scores) + sum(means)) / 4
    assert bias_ranking_auc(truth, scores) == pytest.approx(expected)
