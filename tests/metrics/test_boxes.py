"""Average precision of boxes, each on cases worked by hand."""

import math
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score

from mlebench.competitions._3d_object_detection_for_autonomous_vehicles.metric import (
    mean_average_precision_3d,
)
from mlebench.errors import InvalidSubmissionError
from mlebench.metrics import boxes as boxes_module
from mlebench.metrics.boxes import (
    Boxes,
    coco_marks,
    coco_mean_average_precision,
    match,
    mean_average_precision,
)
from mlebench.native import FLOAT, FLOATS, kernel

corner_iou, size_iou, ground_in_common, iou_3d = (
    kernel(name, FLOATS, FLOATS, gives=FLOAT)
    for name in ("corner_iou", "size_iou", "ground_in_common", "iou_3d")
)


def boxes(*rows: tuple, row_count: int = 3) -> Boxes:
    """Row, label, confidence and place of each box."""
    numbers = np.array([row[2:] for row in rows], dtype=float).reshape(len(rows), -1 if rows else 5)
    heads = np.array([row[:2] for row in rows], dtype=int).reshape(-1, 2)
    return Boxes.of_rows(heads[:, 0], heads[:, 1], numbers, row_count)


def test_overlap_of_corners() -> None:
    unit = np.array([0.0, 0, 2, 2])
    assert corner_iou(unit, np.array([1.0, 0, 3, 2])) == pytest.approx(2 / 6)
    assert corner_iou(unit, np.array([2.0, 0, 0, 2])) == 0
    assert corner_iou(unit, np.array([2.0, 2, 0, 0])) == 0
    assert corner_iou(unit, np.array([0.0, 0, 2, math.nan])) == 0


def test_overlap_of_places_with_sizes() -> None:
    # [1, 3] and [2, 6] share 1 of 2 + 4 - 1; heights are equal.
    assert size_iou(np.array([1.0, 0, 2, 1]), np.array([2.0, 0, 4, 1])) == pytest.approx(1 / 5)
    assert size_iou(np.array([1.0, 0, 2, 1]), np.array([3.0, 0, 4, 1])) == 0
    assert size_iou(np.array([1.0, 0, 2, 1]), np.array([math.nan, 0, 4, 1])) == 0


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


# Every place is its own `x y width height`, so that equal places overlap wholly.
COCO_TRUE = boxes((0, 0, 1, 0, 0, 1, 1), (1, 1, 1, 5, 5, 9, 9), (2, 1, 1, 5, 5, 9, 9))


def test_coco_average_precision_at_101_levels() -> None:
    found = boxes((1, 1, 0.3, 5, 5, 9, 9), (1, 1, 0.9, 80, 5, 90, 9), (2, 1, 0.8, 5, 5, 9, 9))
    # Class 1: wrong, right, right; precision 2/3 up to recall 1. Class 0 has no prediction.
    assert coco_mean_average_precision(0.4)(COCO_TRUE, found) == pytest.approx((2 / 3 + 0) / 2)


def test_a_hit_on_the_first_true_box_is_a_false_alarm() -> None:
    found = boxes((1, 1, 1, 5, 5, 9, 9), (0, 0, 1, 0, 0, 1, 1), (2, 1, 1, 5, 5, 9, 9))
    assert coco_mean_average_precision(0.4)(COCO_TRUE, found) == pytest.approx(0.5)


def test_the_first_prediction_does_not_use_up_its_box() -> None:
    twice = [(1, 1, 0.9, 5, 5, 9, 9), (1, 1, 0.8, 5, 5, 9, 9)]
    last = (2, 1, 0.1, 90, 90, 99, 99)
    # Both hit: recall 2/2 at precision 1.
    assert coco_mean_average_precision(0.4)(COCO_TRUE, boxes(*twice, last)) == pytest.approx(0.5)
    # Behind another one the second is wrong: recall 1/2, precision 1 at 51 of 101 levels.
    later = coco_mean_average_precision(0.4)(COCO_TRUE, boxes(last, *twice))
    assert later == pytest.approx(51 / 101 / 2)


def test_predictions_of_negative_area_are_dropped_unless_they_hit() -> None:
    inverted = boxes((2, 1, 0.1, 90, 90, 99, 99), (1, 1, 0.9, 50, 5, 9, 9), (1, 1, 0.8, 5, 5, 9, 9))
    assert coco_mean_average_precision(0.4)(COCO_TRUE, inverted) == pytest.approx(51 / 101 / 2)


def test_at_most_100_predictions_of_a_picture_and_class_count() -> None:
    crowd = [(1, 1, 0.9, 80, 5, 90, 9)] * 100 + [(1, 1, 0.8, 5, 5, 9, 9)]
    assert coco_mean_average_precision(0.4)(COCO_TRUE, boxes(*crowd)) == 0
    # One less, and the hit comes as the 100th of 100.
    hit = coco_mean_average_precision(0.4)(COCO_TRUE, boxes(*crowd[1:]))
    assert hit == pytest.approx(0.01 * 51 / 101 / 2)


def box(x: float = 0, y: float = 0, yaw: float = 0, width: float = 2, length: float = 4) -> list:
    return [x, y, 0, width, length, 2, yaw]


@pytest.mark.parametrize(
    ("first", "second", "area"),
    [
        (box(), box(), 8),
        (box(), box(1, 1), 3),
        (box(), box(yaw=math.pi), 8),
        (box(), box(yaw=math.pi / 2), 4),
        (box(), box(4.5), 0),
        (box(width=9, length=9), box(), 8),
        # A square of diagonal 2 stands on its corner inside one of side 2, or half outside it.
        (box(width=2, length=2), box(0, 0, math.pi / 4, math.sqrt(2), math.sqrt(2)), 2),
        (box(width=2, length=2), box(1, 0, math.pi / 4, math.sqrt(2), math.sqrt(2)), 1),
        # Two unit squares turned by an eighth make a regular octagon of area 2·(√2 − 1).
        (box(width=1, length=1), box(0, 0, math.pi / 4, 1, 1), 2 * (math.sqrt(2) - 1)),
    ],
)
def test_common_ground(first: list, second: list, area: float) -> None:
    one, other = np.array(first, dtype=float), np.array(second, dtype=float)
    assert ground_in_common(one, other) == pytest.approx(area, abs=1e-12)
    assert ground_in_common(other, one) == pytest.approx(area, abs=1e-12)


def test_overlap_in_space() -> None:
    # Ground 6 of 8 in common, heights [-1, 1] and [0, 2]: 6·1 / (16 + 16 - 6).
    raised = np.array([1.0, 0, 1, 2, 4, 2, 0])
    assert iou_3d(np.array(box(), dtype=float), raised) == pytest.approx(6 / 26)


def test_mean_average_precision_3d() -> None:
    metric = mean_average_precision_3d([0.5, 0.7])
    true = boxes((0, 0, 1, *box()), (0, 0, 1, *box(9)), (0, 1, 1, *box(20)), row_count=1)
    found = boxes(
        (0, 0, 0.9, *box(50)),
        (0, 0, 0.8, *box(0.5)),
        (0, 0, 0.7, *box()),
        (0, 0, 0.6, *box(9)),
        (0, 2, 1.0, 0, 0, 0, -1, -1, -1, 0),
        row_count=1,
    )
    # Overlaps: 0, 3.5/4.5 = 0.78, 1 with a box that is taken, 1. Precisions 1/2 and 2/4, each for
    # half of the recall; class 1 is missed, class 2 is not in the truth and ignored.
    assert metric(true, found) == pytest.approx((0.5 + 0) / 2)


def test_false_alarms_behind_all_hits_cost_nothing() -> None:
    true = boxes((0, 0, 1, *box()), row_count=1)
    found = boxes((0, 0, 0.9, *box()), (0, 0, 0.1, *box(50)), row_count=1)
    assert mean_average_precision_3d([0.5])(true, found) == 1


@pytest.mark.parametrize("wrong", [(math.nan, 0, 0, 1, 1, 1, 0), (0, 0, 0, 1, -1, 1, 0)])
def test_impossible_boxes_of_a_true_class_are_refused(wrong: tuple) -> None:
    true = boxes((0, 0, 1, *box()), row_count=1)
    with pytest.raises(InvalidSubmissionError, match="sizes above 0"):
        mean_average_precision_3d([0.5])(true, boxes((0, 0, 1, *wrong), row_count=1))


def test_boxes_too_far_away_to_have_right_angles_are_refused() -> None:
    true = boxes((0, 0, 1, *box()), row_count=1)
    metric = mean_average_precision_3d([0.5])
    assert metric(true, boxes((0, 0, 1, *box(1e6, 0, 0.3)), row_count=1)) == 0
    assert metric(true, boxes((0, 0, 1, *box(1e12)), row_count=1)) == 0
    with pytest.raises(InvalidSubmissionError, match="sizes above 0"):
        metric(true, boxes((0, 0, 1, *box(1e12, 0, 0.3)), row_count=1))


def test_a_hundred_thousand_boxes_in_one_row() -> None:
    true = boxes(*[(0, 0, 1, *box(10 * k)) for k in range(3)], row_count=1)
    count = 100_000
    numbers = np.tile(np.array([0, *box(500)], dtype=float), (count, 1))
    numbers[:, 0] = np.linspace(0, 1, count)
    crowd = Boxes.of_rows(np.zeros(count, dtype=int), np.zeros(count, dtype=int), numbers, 1)
    assert mean_average_precision_3d([0.5])(true, crowd) == 0


def rows_of(width: int, confidences: st.SearchStrategy[float]) -> st.SearchStrategy[list[tuple]]:
    """Boxes of few rows, classes and places, so that many meet."""
    place = st.tuples(*[st.integers(0, 3)] * width)
    head = st.tuples(st.integers(0, 2), st.integers(0, 2), confidences)
    return st.lists(st.builds(tuple.__add__, head, place), max_size=30)


some = st.sampled_from([0.1, 0.5, 0.9])


def ranked(predicted: list[tuple], row: int, label: int) -> list[int]:
    """The predictions of a row and class by falling confidence; what is no number comes last."""
    own = [k for k, box in enumerate(predicted) if box[:2] == (row, label)]
    return sorted(own, key=lambda k: math.inf if math.isnan(predicted[k][2]) else -predicted[k][2])


@given(rows_of(4, some), rows_of(4, some))
def test_greedy_matches_are_those_of_a_plain_loop(true: list[tuple], found: list[tuple]) -> None:
    # Boxes of a row stand together afterwards.
    true, found = (sorted(side, key=lambda box: box[0]) for side in (true, found))
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
    true = sorted([(0, 0, 1, 0, 0, 2, 2), *true], key=lambda box: box[0])
    found = sorted(found, key=lambda box: box[0])
    is_hit, is_found = match(boxes(*true), boxes(*found), 0.3)
    values = []
    for label in {box[1] for box in true}:
        pairs = [(is_hit[k], box[2]) for k, box in enumerate(found) if box[1] == label]
        pairs += [(1, 0) for k, box in enumerate(true) if box[1] == label and not is_found[k]]
        rows = {box[0] for box in [*true, *found] if box[1] == label}
        pairs += [(0, 0)] * (3 - len(rows))
        values.append(average_precision_score(*zip(*pairs, strict=True)))
    assert mean_average_precision(0.3)(boxes(*true), boxes(*found)) == pytest.approx(
        np.mean(values)
    )


def test_classes_that_only_later_rows_have(monkeypatch: pytest.MonkeyPatch) -> None:
    true = boxes(*[(row, label, 1, 0, 0, 9, 9) for row, label in ((0, 5), (1, 7), (2, 5), (2, 2))])
    found = boxes(*[(row, label, 0.5, 0, 0, 9, 9) for row, label in ((0, 5), (1, 7), (2, 3))])
    # Class 5: a hit, a miss, a row without it; class 7: a hit; class 2: a miss, two without.
    expected = np.mean([0.5 + 0.5 * 2 / 3, 1, 1 / 3])
    assert mean_average_precision(0.5)(true, found) == pytest.approx(expected)
    monkeypatch.setattr(boxes_module, "BOXES_AT_ONCE", 1)
    assert mean_average_precision(0.5)(true, found) == pytest.approx(expected)
    assert coco_mean_average_precision(0.4)(COCO_TRUE, COCO_TRUE) == pytest.approx(0.5)


def plain_iou(one: tuple, other: tuple) -> float:
    wide, high = (min(one[k + 2], other[k + 2]) - max(one[k], other[k]) for k in (0, 1))
    common = max(wide, 0) * max(high, 0)
    union = sum((box[2] - box[0]) * (box[3] - box[1]) for box in (one, other)) - common
    return common / union if union > 0 else 0


@given(st.lists(st.floats(width=16), max_size=80), st.randoms(use_true_random=False))
def test_predictions_of_a_class_by_falling_confidence(confidences: list, random: Random) -> None:
    # Each prediction overlaps its own true box only, and the first one by confidence counts.
    true = boxes((0, 0, 1, 0, 0, 9, 9), (0, 1, 1, 0, 0, 9, 9), row_count=1)
    rows = [(0, 1, confidence, 0, 0, 9, 9) for confidence in confidences]
    is_far = [random.random() < 0.5 for _ in rows]
    found = [
        (*row[:3], 50, 50, 1, 1) if far else row for row, far in zip(rows, is_far, strict=True)
    ]
    order = ranked(found, 0, 1)
    hits = [k for k in order if not is_far[k]]
    # The first prediction of the file does not use up the box.
    hits = hits[: 1 + (hits[:1] == [0])]
    scores, marks = coco_marks(true, boxes(*found, row_count=1), 0.4)
    np.testing.assert_array_equal(scores, np.array(confidences, dtype=float))
    assert marks.tolist() == [2 + (k in hits) for k in range(len(found))]


@given(rows_of(2, some), rows_of(2, some))
def test_precision_in_space_is_that_of_a_plain_loop(true: list[tuple], found: list[tuple]) -> None:
    true = [(row, 0, 1, 9, 9) for row in range(3)] + true
    sides = [[(*b[:3], 2 * b[3], b[4], 0, 2, 2, 2, 0) for b in side] for side in (true, found)]
    levels = [0.2, 0.4]
    expected = np.mean([[plain_row(*sides, row, t) for row in range(3)] for t in levels])
    metric = mean_average_precision_3d(levels)
    assert metric(boxes(*sides[0]), boxes(*sides[1])) == pytest.approx(expected)


def plain_row(true: list[tuple], found: list[tuple], row: int, threshold: float) -> float:
    values = []
    for label in {box[1] for box in true if box[0] == row}:
        targets = [box[3:5] for box in true if box[:2] == (row, label)]
        taken, precisions = set(), []
        for rank, k in enumerate(ranked(found, row, label)):
            meets = [plain_overlap(found[k][3:5], target) for target in targets]
            best = meets.index(max(meets))
            if meets[best] > threshold and best not in taken:
                taken.add(best)
                precisions.append(len(taken) / (rank + 1))
        falling = [max(precisions[k:]) for k in range(len(precisions))]
        values.append(sum(falling) / len(targets))
    return sum(values) / len(values)


def plain_overlap(one: tuple, other: tuple) -> float:
    """Of two cubes of side 2 that stand on the same ground."""
    common = math.prod(max(2 - abs(one[k] - other[k]), 0) for k in (0, 1)) * 2
    return common / (16 - common)
