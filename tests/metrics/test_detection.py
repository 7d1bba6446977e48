"""PASCAL VOC's average precision, on cases worked by hand and against a plain loop."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from mlebench.metrics import boxes as boxes_module
from mlebench.metrics import voc_mean_average_precision
from mlebench.metrics.detection import iou
from tests.metrics.made_boxes import boxes, rows_of, some

RIGHT, SECOND, WRONG = (0, 0, 9, 9), (20, 20, 29, 29), (50, 50, 59, 59)
score = voc_mean_average_precision(0.5)


def test_overlap_of_corners() -> None:
    others = np.array([[1.0, 0, 3, 2], [2, 0, 0, 2], [2, 2, 0, 0], [0, 0, 2, 2]])
    found = iou(np.tile([0.0, 0, 2, 2], (4, 1)), others)
    assert found.tolist() == [pytest.approx(2 / 6), 0, 0, 1]


def test_area_under_the_falling_curve() -> None:
    true = boxes((0, 0, 1, *RIGHT), (1, 0, 1, *SECOND), (2, 0, 1, *RIGHT))
    found = [(0, 0, 0.9, *WRONG), (0, 0, 0.8, *RIGHT), (1, 0, 0.7, *SECOND), (2, 0, 0.6, *WRONG)]
    # Precision by recall: 0 of 1, then 1/2 at 1/3, 2/3 at 2/3. From 1/3 on the best is 2/3.
    assert score(true, boxes(*found)) == pytest.approx(2 / 3 * 2 / 3)


def test_equal_confidences_count_together_whatever_their_order() -> None:
    true = boxes((0, 0, 1, *RIGHT), (1, 0, 1, *RIGHT))
    found = [(0, 0, 0.5, *RIGHT), (1, 0, 0.5, *WRONG), (2, 0, 0.5, *WRONG)]
    assert score(true, boxes(*found)) == score(true, boxes(*found[::-1])) == 1 / 2 * 1 / 3


def test_boxes_that_match_nothing_earn_nothing() -> None:
    true = boxes((0, 0, 1, *RIGHT), (1, 1, 1, *SECOND))
    spam = [(row, label, -1, 9, 9, 0, 0) for row in range(3) for label in range(2)]
    assert score(true, boxes(*spam)) == 0
    assert score(true, boxes()) == 0


def test_inverted_boxes_are_false_alarms() -> None:
    true = boxes((0, 0, 1, *RIGHT))
    found = [(0, 0, 0.9, 60, 60, 50, 50), (0, 0, 0.5, *RIGHT)]
    assert score(true, boxes(*found)) == 0.5


def test_a_doubled_box_is_a_false_alarm_even_if_another_is_free() -> None:
    true = boxes((0, 0, 1, 0, 0, 10, 10), (0, 0, 1, 0, 0, 10, 8))
    doubled = boxes((0, 0, 0.9, 0, 0, 10, 8), (0, 0, 0.8, 0, 0, 10, 8))
    assert score(true, doubled) == 0.5


def test_an_overlap_of_exactly_the_threshold_is_none() -> None:
    assert score(boxes((0, 0, 1, 0, 0, 10, 10)), boxes((0, 0, 1, 0, 0, 10, 5))) == 0


@given(rows_of(4, some), rows_of(4, some))
def test_hits_and_areas_are_those_of_a_plain_loop(true: list[tuple], found: list[tuple]) -> None:
    if not true:
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(boxes_module, "PAIRS_AT_ONCE", 3)
        measured = score(boxes(*true), boxes(*found))
    labels = sorted({box[1] for box in true})
    assert measured == pytest.approx(np.mean([plain_area(true, found, label) for label in labels]))


def plain_area(true: list[tuple], found: list[tuple], label: int) -> float:
    targets = [box for box in true if box[1] == label]
    guesses = sorted((box for box in found if box[1] == label), key=lambda box: -box[2])
    taken, points, hits = set(), [], 0
    for number, (row, _, confidence, *place) in enumerate(guesses, 1):
        shares = {k: plain_iou(place, box[3:]) for k, box in enumerate(targets) if box[0] == row}
        best = max(shares, key=lambda k: (shares[k], -k), default=None)
        if best is not None and shares[best] > 0.5 and best not in taken:
            taken.add(best)
            hits += 1
        if number == len(guesses) or guesses[number][2] != confidence:
            points.append((hits / len(targets), hits / number))
    area = before = 0.0
    for place, (recall, _) in enumerate(points):
        area += (recall - before) * max(precision for _, precision in points[place:])
        before = recall
    return area


def plain_iou(a: list[float], b: tuple[float, ...]) -> float:
    width, height = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    if width <= 0 or height <= 0:
        return 0.0
    common = width * height
    areas = [(box[2] - box[0]) * (box[3] - box[1]) for box in (a, b)]
    return common / (sum(areas) - common)
