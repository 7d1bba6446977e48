"""Formats that a few competitions share: repeated, unscored, ordered and nameless rows."""

from __future__ import annotations

import pandas as pd
import pytest

from mlebench.competitions.nomad2018_predict_transparent_conductors.format import RowInOrder
from mlebench.competitions.ventilator_pressure_prediction.format import StepPerId
from mlebench.errors import InvalidSubmissionError
from mlebench.formats import LeadingColumns, RepeatableRows, RowPerId, with_group
from mlebench.formats.values import converted_numbers

ANSWERS = pd.DataFrame({"id": [1, 2, 3], "x": [10.0, 20.0, 30.0], "kind": ["b", "a", "b"]})


def test_a_repeated_row_counts_as_often_as_it_occurs() -> None:
    submission = pd.DataFrame({"id": [3, 1, 2, 1], "x": [0.3, 0.1, 0.2, 0.15]})
    truth, prediction, _ = RepeatableRows("id", "x").align(submission, ANSWERS)
    assert sorted(zip(truth, prediction, strict=True)) == [
        (10, 0.1),
        (10, 0.15),
        (20, 0.2),
        (30, 0.3),
    ]


@pytest.mark.parametrize("wanted", [[1, 2, 3], [2, 2, 3]])
@pytest.mark.parametrize("given", [[3, 1, 2], [3, 2, 2], [2, 3, 2]])
def test_rows_in_another_order_are_paired_as_a_join_pairs_them(
    given: list[int], wanted: list[int]
) -> None:
    submission = pd.DataFrame({"id": given, "x": [0.1, 0.2, 0.3]})
    answers = pd.DataFrame({"id": wanted, "x": [10.0, 20.0, 30.0]})
    joined = submission.merge(answers, on="id")
    if set(given) != set(wanted):
        with pytest.raises(InvalidSubmissionError):
            RepeatableRows("id", "x").align(submission, answers)
        return
    truth, prediction, _ = RepeatableRows("id", "x").align(submission, answers)
    assert truth.tolist() == joined["x_y"].tolist()
    assert prediction.tolist() == joined["x_x"].tolist()


@pytest.mark.parametrize(
    ("ids", "words"),
    [([1, 2], "1 ids are missing"), ([1, 2, 3, 4], "'4'"), (["1", "2", "3"], "not among")],
)
def test_repeatable_rows_must_cover_the_ids_and_no_others(ids: list[object], words: str) -> None:
    submission = pd.DataFrame({"id": ids, "x": 0.5})
    with pytest.raises(InvalidSubmissionError, match=words):
        RepeatableRows("id", "x").check(submission, ANSWERS[["id"]])


def test_values_of_unscored_rows_are_not_looked_at() -> None:
    form = StepPerId("id", "x", unscored="skip")
    answers = ANSWERS.assign(skip=[0, 1, 0])
    submission = pd.DataFrame({"id": [2, 3, 1], "x": [None, 0.3, 0.1]})
    truth, prediction, _ = form.align(submission, answers)
    assert truth.tolist() == [10, 30]
    assert prediction.tolist() == [0.1, 0.3]
    with pytest.raises(InvalidSubmissionError, match="finite number"):
        form.check(submission.assign(x=[0.2, None, 0.1]), form.keys(answers))


def test_leading_columns_must_be_in_order() -> None:
    answers = pd.DataFrame({"id": [1], "x": [1.0], "y": [2.0]})
    only_id, all_three = (LeadingColumns("id", ("x", "y"), leading=n) for n in (1, 3))
    moved = answers[["id", "y", "x"]]
    assert only_id.align(moved, answers)[1].tolist() == [[1, 2]]
    with pytest.raises(InvalidSubmissionError, match="column 2 is 'y', expected 'x'"):
        all_three.check(moved, answers[["id"]])
    with pytest.raises(InvalidSubmissionError, match="column 1 is 'x', expected 'id'"):
        only_id.check(answers[["x", "id", "y"]], answers[["id"]])


def test_rows_in_order_need_no_ids() -> None:
    form = RowInOrder(("x",))
    truth, prediction, _ = form.align(pd.DataFrame({"x": [1, 2, 3]}), ANSWERS)
    assert (truth.tolist(), prediction.tolist()) == ([10, 20, 30], [1, 2, 3])
    with pytest.raises(InvalidSubmissionError, match="2 rows, expected 3"):
        form.check(pd.DataFrame({"x": [1, 2]}), form.keys(ANSWERS))


def test_groups_become_the_last_column_of_the_truth() -> None:
    form = RowPerId("id", "x", truth=with_group("x", "kind"), ignored=("time",))
    truth, *_ = form.align(ANSWERS.assign(time=0), ANSWERS)
    assert truth.tolist() == [[10, 0], [20, 1], [30, 0]]
    with pytest.raises(InvalidSubmissionError, match="lacks column 'time'"):
        form.check(ANSWERS, ANSWERS[["id"]])


def test_texts_that_python_reads_as_floats_are_scored_with_a_warning() -> None:
    form = RowPerId("id", "x", odd_values=converted_numbers)
    submission = pd.DataFrame({"id": [1, 2, 3], "x": ["1_000", "٣", "99999999999999999999"]})
    aligned = form.align(submission, ANSWERS)
    assert aligned.prediction.tolist() == [1000.0, 3.0, 1e20]
    assert "expected a number; scored as the published grader does" in aligned.warnings[0]
    with pytest.raises(InvalidSubmissionError, match="expected a number"):
        form.check(submission, ANSWERS[["id"]])
    with pytest.raises(InvalidSubmissionError, match="'abc' in row 2, expected a number"):
        form.align(submission.assign(x=["1", "abc", "2"]), ANSWERS)


def test_scored_steps_come_in_the_order_of_their_ids() -> None:
    form = StepPerId("id", "x", unscored="skip", odd_values=converted_numbers)
    answers = ANSWERS.assign(skip=[0, 1, 0]).iloc[::-1]
    submission = pd.DataFrame({"id": [3, 2, 1], "x": ["0.3", "word", "0.1"]})
    truth, prediction, warnings = form.align(submission, answers)
    assert (truth.tolist(), prediction.tolist()) == ([10, 30], [0.1, 0.3])
    assert len(warnings) == 1
