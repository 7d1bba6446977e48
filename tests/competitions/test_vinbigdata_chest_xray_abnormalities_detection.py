"""Rows of one picture are pooled, in whatever order pictures and answers stand."""

from __future__ import annotations

import math
from random import Random

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mlebench.competitions.vinbigdata_chest_xray_abnormalities_detection.competition import (
    competition,
)
from mlebench.competitions.vinbigdata_chest_xray_abnormalities_detection.metric import (
    coco_mean_average_precision,
    iou,
    mark,
)
from mlebench.errors import InvalidSubmissionError
from tests.metrics.made_boxes import boxes, ranked

NAMES = ["image_id", "class_id", "x_min", "y_min", "x_max", "y_max"]
ANSWERS = pd.DataFrame(
    [
        ("a", 0, 10, 10, 20, 20),
        ("a", 3, 30, 30, 40, 40),
        ("b", 14, 0, 0, 1, 1),
        ("c", 3, 50, 50, 60, 60),
    ],
    columns=NAMES,
)
FOUND = ("14 0.7 0 0 1 1", "3 0.9 30 30 40 40 0 0.8 0 0 9 9", "3 0.6 50 50 60 60")


def table(*rows: tuple[str, str]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=["image_id", "PredictionString"])


def score(submission: pd.DataFrame, answers: pd.DataFrame = ANSWERS) -> float:
    return competition.metric(*competition.submission.align(submission, answers)[:2])


def test_boxes_of_a_picture_may_stand_in_several_rows() -> None:
    none, both, other = FOUND
    together = score(table(("b", none), ("a", both), ("c", other)))
    # Class 0 is missed, classes 3 and 14 are found.
    assert together == pytest.approx(2 / 3)
    first, second = both[:17], both[18:]
    apart = table(("b", none), ("a", first), ("c", other), ("a", second))
    assert score(apart) == together


def test_the_order_of_the_answers_decides_only_which_box_is_the_first() -> None:
    found = table(*zip("bac", FOUND, strict=True))
    assert score(found, ANSWERS.iloc[[0, 3, 2, 1]]) == score(found)
    # Its hit is a false alarm then.
    assert score(found, ANSWERS.iloc[[2, 0, 1, 3]]) == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([("a", FOUND[1]), ("b", FOUND[0])], "1 of 3 test pictures have no row"),
        ([*zip("bac", FOUND, strict=True), ("d", FOUND[0])], "'d', expected ids"),
        ([*zip("bac", FOUND, strict=True), ("a", " ")], "row 4 holds nothing"),
        ([*zip("bac", FOUND, strict=True), ("a", "nan 1 0 0 1 1")], "a class that is not finite"),
        ([*zip("bac", FOUND, strict=True), ("a", "1 1 0 0 1")], "row 4 has 5 words"),
        ([*zip("bac", FOUND, strict=True), ("a", "1 1 0 0 1 x")], "'x', expected a number"),
    ],
)
def test_other_tables_are_refused(rows: list[tuple[str, str]], reason: str) -> None:
    form = competition.submission
    with pytest.raises(InvalidSubmissionError, match=reason):
        form.check(table(*rows), form.keys(ANSWERS))
    with pytest.raises(InvalidSubmissionError, match=reason):
        score(table(*rows))


def test_overlap_of_places_with_sizes() -> None:
    # [1, 3] and [2, 6] share 1 of 2 + 4 - 1; heights are equal.
    others = np.array([[2.0, 0, 4, 1], [3, 0, 4, 1], [math.nan, 0, 4, 1]])
    found = iou(np.tile([1.0, 0, 2, 1], (3, 1)), others)
    assert found.tolist() == [pytest.approx(1 / 5), 0, 0]


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
    marks = mark(true, boxes(*found, row_count=1), 0.4)
    assert marks.is_hit.tolist() == [k in hits for k in range(len(found))]
    assert marks.is_counted.all()
