"""Rows of one picture are pooled, in whatever order pictures and answers stand."""

from __future__ import annotations

import pandas as pd
import pytest

from mlebench.competitions.vinbigdata_chest_xray_abnormalities_detection.competition import (
    competition,
)
from mlebench.errors import InvalidSubmissionError

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
