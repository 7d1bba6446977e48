"""Overlaps and average precision of boxes in space, on cases worked by hand."""

import math

import numpy as np
import pytest
from hypothesis import given

from mlebench.competitions._3d_object_detection_for_autonomous_vehicles.metric import (
    mean_average_precision_3d,
)
from mlebench.competitions._3d_object_detection_for_autonomous_vehicles.overlaps import (
    common_ground,
    iou,
)
from mlebench.competitions._3d_object_detection_for_autonomous_vehicles.revision import (
    mean_hit_share_3d,
)
from mlebench.errors import InvalidSubmissionError
from mlebench.metrics.boxes import Boxes
from tests.metrics.made_boxes import boxes, ranked, rows_of, some


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
        # A square of diagonal 2 is turned by 45 degrees inside one of side 2, or half outside it.
        (box(width=2, length=2), box(0, 0, math.pi / 4, math.sqrt(2), math.sqrt(2)), 2),
        (box(width=2, length=2), box(1, 0, math.pi / 4, math.sqrt(2), math.sqrt(2)), 1),
        # Two unit squares turned by an eighth make a regular octagon of area 2·(√2 − 1).
        (box(width=1, length=1), box(0, 0, math.pi / 4, 1, 1), 2 * (math.sqrt(2) - 1)),
    ],
)
def test_common_ground(first: list, second: list, area: float) -> None:
    pair, reversed_pair = (
        np.array(sides, dtype=float).T for sides in ((first, second), (second, first))
    )
    assert common_ground(pair, reversed_pair).tolist() == pytest.approx([area] * 2, abs=1e-12)


def test_overlap_in_space() -> None:
    # Ground 6 of 8 in common, heights [-1, 1] and [0, 2]: 6·1 / (16 + 16 - 6).
    pair = np.array([box(), [1, 0, 1, 2, 4, 2, 0]], dtype=float).T
    assert iou(pair[:, :1], pair[:, 1:]).tolist() == [pytest.approx(6 / 26)]


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
    crowd = Boxes(np.zeros(count, dtype=int), np.zeros(count, dtype=int), numbers, 1)
    assert mean_average_precision_3d([0.5])(true, crowd) == 0


@given(rows_of(2, some), rows_of(2, some))
def test_precision_in_space_is_that_of_a_plain_loop(true: list[tuple], found: list[tuple]) -> None:
    true = [(row, 0, 1, 9, 9) for row in range(3)] + true
    sides = [[(*b[:3], 2 * b[3], b[4], 0, 2, 2, 2, 0) for b in side] for side in (true, found)]
    levels = [0.2, 0.4]
    expected = np.mean([[plain_row(*sides, row, t) for row in range(3)] for t in levels])
    metric = mean_average_precision_3d(levels)
    assert metric(*[boxes(*side, width=8) for side in sides]) == pytest.approx(expected)


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
    """Of two cubes of side 2 with the same bottom height."""
    common = math.prod(max(2 - abs(one[k] - other[k]), 0) for k in (0, 1)) * 2
    return common / (16 - common)


def test_revision_v1_1_counts_every_box_of_a_row() -> None:
    true = boxes(
        (0, 0, 1, *box()), (0, 0, 1, *box(9)), (0, 1, 1, *box(20)), (1, 0, 1, *box()), row_count=2
    )
    found = boxes(
        (0, 0, 0.9, *box()),
        (0, 0, 0.1, *box(50)),
        (0, 2, 0.1, *box(9)),
        (1, 0, 0.5, *box(0.5)),
        row_count=2,
    )
    # First row: 1 hit, 2 false alarms (one of an absent class), 2 misses. Second: overlap 3.5/4.5,
    # a hit at 0.5; at 0.8 a false alarm and a miss.
    assert mean_hit_share_3d([0.5, 0.8])(true, found) == pytest.approx((1 / 5 + (1 + 0) / 2) / 2)
    assert mean_hit_share_3d([0.5, 0.8])(true, true) == 1
    nothing = boxes(row_count=2, width=8)
    assert mean_hit_share_3d([0.5])(true, nothing) == 0


@given(rows_of(1, some), rows_of(1, some))
def test_hit_shares_are_those_of_a_plain_loop(true: list[tuple], found: list[tuple]) -> None:
    sides = [[(*b[:3], *box(b[3] / 2)) for b in side] for side in (true, found)]
    shares = []
    for row in range(3):
        taken: set[int] = set()
        for label in range(3):
            own = [k for k, b in enumerate(sides[0]) if b[:2] == (row, label)]
            for guess in ranked(sides[1], row, label):
                # Two boxes of length 4 that are d apart share (4 − d) / (4 + d).
                distances = {k: abs(sides[0][k][3] - sides[1][guess][3]) for k in own}
                best = min(distances, key=lambda k: (distances[k], k), default=None)
                if best is None or best in taken:
                    continue
                if (4 - distances[best]) / (4 + distances[best]) > 0.7:
                    taken.add(best)
        count = sum(b[0] == row for side in sides for b in side)
        shares.append(len(taken) / (count - len(taken)) if count else 1)
    made = [boxes(*side, width=8) for side in sides]
    assert mean_hit_share_3d([0.7])(*made) == pytest.approx(sum(shares) / 3)
