"""Average precision with misses as zeros, on cases worked by hand."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score

from mlebench.competitions.siim_covid19_detection.metric import iou, match, mean_average_precision
from mlebench.metrics import boxes as boxes_module
from tests.metrics.made_boxes import boxes, ranked, rows_of, some


def test_overlap_of_corners() -> None:
    others = np.array([[1.0, 0, 3, 2], [2, 0, 0, 2], [2, 2, 0, 0], [0, 0, 2, math.nan]])
    found = iou(np.tile([0.0, 0, 2, 2], (4, 1)), others)
    assert found.tolist() == [pytest.approx(2 / 6), 0, 0, 0]


def test_average_precision_takes_equal_scores_together() -> None:
    true = boxes((0, 0, 1, 0, 0, 9, 9), (0, 0, 1, 20, 20, 29, 29), row_count=1)
    right, wrong, second = (0, 0, 9, 9), (50, 50, 59, 59), (20, 20, 29, 29)
    found = [(0.9, right), (0.5, wrong), (0.5, second), (0.1, wrong)]
    predicted = boxes(*[(0, 0, confidence, *place) for confidence, place in found], row_count=1)
    # 0.9: recall 1/2 at precision 1; 0.5 (two boxes): recall 1 at precision 2/3.
    assert mean_average_precision(0.5)(true, predicted) == pytest.approx(0.5 + 0.5 * 2 / 3)
    below = boxes(*[(0, 0, -1, *place) for place in (right, second)], row_count=1)
    assert mean_average_precision(0.5)(true, below) == 1


def test_mean_average_precision_with_a_missed_box_and_a_false_alarm() -> None:
    true = boxes((0, 0, 1, 0, 0, 10, 10), (1, 0, 1, 0, 0, 10, 10))
    found = boxes((0, 0, 0.8, 0, 0, 10, 9), (1, 0, 0.9, 50, 50, 60, 60))
    # By score: 0.9 wrong, 0.8 right (1 of 2), then at 0 the missed box and the third row (2 of 4).
    assert mean_average_precision(0.5)(true, found) == pytest.approx(0.5 * 0.5 + 0.5 * 0.5)


def test_a_doubled_box_is_a_false_alarm_and_the_better_overlap_is_taken() -> None:
    true = boxes((0, 0, 1, 0, 0, 10, 10), (0, 0, 1, 0, 0, 10, 8), row_count=1)
    taken = [(0, 0, confidence, 0, 0, 10, 8) for confidence in (0.9, 0.8, 0.7)]
    found = boxes(*taken, row_count=1)
    # The first takes the box of 8, the second the one of 10, the third finds none.
    assert mean_average_precision(0.5)(true, found) == 1
    worse = boxes((0, 0, 0.9, 0, 0, 1, 1), (0, 0, 0.8, 0, 0, 10, 8), row_count=1)
    # 0.9 wrong, 0.8 right (1 of 2), at 0 the box left over (2 of 3).
    assert mean_average_precision(0.5)(true, worse) == pytest.approx(0.5 * 0.5 + 0.5 * 2 / 3)


def test_an_overlap_of_exactly_the_threshold_is_none() -> None:
    true = boxes((0, 0, 1, 0, 0, 10, 10), row_count=2)
    half = boxes((0, 0, 1, 0, 0, 10, 5), row_count=2)
    # The false alarm at 1, then at 0 the missed box and the other row: 1 of 3.
    assert mean_average_precision(0.5)(true, half) == pytest.approx(1 / 3)


@given(rows_of(4, some), rows_of(4, some))
def test_greedy_matches_are_those_of_a_plain_loop(true: list[tuple], found: list[tuple]) -> None:
    hits, taken = set(), set()
    for row in range(3):
        for label in range(3):
            for k in ranked(found, row, label):
                free = [j for j in range(len(true)) if true[j][:2] == (row, label)]
                near = [(plain_iou(found[k][3:], true[j][3:]), -j) for j in free if j not in taken]
                overlap, target = max(near, default=(0, 0))
                if overlap > 0.3:
                    hits.add(k)
                    taken.add(-target)
    is_hit, is_found = match(boxes(*true), boxes(*found), 0.3)
    assert set(np.flatnonzero(is_hit)) == hits
    assert set(np.flatnonzero(is_found)) == taken


@given(rows_of(4, st.sampled_from([-0.5, 0, 0.1, 0.5])), rows_of(4, some))
def test_mean_precision_is_that_of_scikit_learn(found: list[tuple], true: list[tuple]) -> None:
    true = [(0, 0, 1, 0, 0, 2, 2), *true]
    is_hit, is_found = match(boxes(*true), boxes(*found), 0.3)
    values = []
    for label in dict.fromkeys(box[1] for box in true):
        pairs = [(is_hit[k], box[2]) for k, box in enumerate(found) if box[1] == label]
        pairs += [(1, 0) for k, box in enumerate(true) if box[1] == label and not is_found[k]]
        rows = {box[0] for box in [*true, *found] if box[1] == label}
        pairs += [(0, 0)] * (3 - len(rows))
        values.append(average_precision_score(*zip(*pairs, strict=True)))
    # Not one digit differs.
    assert mean_average_precision(0.3)(boxes(*true), boxes(*found)) == np.mean(values)


@pytest.mark.parametrize("pairs_at_once", [1, 1000])
def test_classes_that_only_later_rows_have(
    pairs_at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(boxes_module, "PAIRS_AT_ONCE", pairs_at_once)
    true = boxes(*[(row, label, 1, 0, 0, 9, 9) for row, label in ((0, 5), (1, 7), (2, 5), (2, 2))])
    found = boxes(*[(row, label, 0.5, 0, 0, 9, 9) for row, label in ((0, 5), (1, 7), (2, 3))])
    # Class 5: a hit, a miss, a row without it; class 7: a hit; class 2: a miss, two without.
    expected = np.mean([0.5 + 0.5 * 2 / 3, 1, 1 / 3])
    assert mean_average_precision(0.5)(true, found) == pytest.approx(expected)


def plain_iou(one: tuple, other: tuple) -> float:
    wide, high = (min(one[k + 2], other[k + 2]) - max(one[k], other[k]) for k in (0, 1))
    common = max(wide, 0) * max(high, 0)
    union = sum((box[2] - box[0]) * (box[3] - box[1]) for box in (one, other)) - common
    return common / union if union > 0 else 0
