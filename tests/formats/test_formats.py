"""Formats check and align: order never matters, differences have reasons, answers stay secret."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from mlebench.errors import InvalidSubmissionError
from mlebench.formats import RowPerId, RowPerSortedKey, match_ids
from mlebench.formats.values import finite_numbers, labels, probabilities, probability_rows, texts

ANSWERS = pd.DataFrame({"id": ["a", "b", "c"], "x": [1.0, 2.0, 3.0]})


def refused(form: Any, submission: pd.DataFrame, answers: pd.DataFrame = ANSWERS) -> str:
    with pytest.raises(InvalidSubmissionError) as caught:
        form.align(submission, answers)
    with pytest.raises(InvalidSubmissionError):
        form.check(submission, form.keys(answers))
    return str(caught.value)


def test_rows_are_aligned_by_id_whatever_their_order() -> None:
    submission = pd.DataFrame({"x": [30, 10, 20], "id": ["c", "a", "b"], "more": [0, 0, 0]})
    truth, prediction, _ = RowPerId("id", "x").align(submission, ANSWERS)
    assert truth.tolist() == [1, 2, 3]
    assert prediction.tolist() == [10, 20, 30]


@pytest.mark.parametrize(
    ("submission", "words"),
    [
        ({"id": ["a", "b", "c"]}, "lacks column 'x'"),
        ({"x": [1, 2, 3]}, "lacks column 'id'"),
        ({"id": ["a", "b"], "x": [1, 2]}, "2 rows, expected 3"),
        ({"id": ["a", "b", "d"], "x": [1, 2, 3]}, "'d'; expected for example 'c'"),
        ({"id": ["a", "b", "b"], "x": [1, 2, 3]}, "'b' more than once"),
        ({"id": ["a", "b", "c"], "x": [1, None, 3]}, "row 2, expected a finite number"),
        ({"id": ["a", "b", "c"], "x": [1, np.inf, 3]}, "'inf' in row 2"),
        ({"id": ["a", "b", "c"], "x": ["1", "yes", "3"]}, "'yes' in row 2, expected a number"),
        ({"id": [1, 2, 3], "x": [1, 2, 3]}, "not among the expected ids"),
    ],
)
def test_what_is_wrong_is_said(submission: dict[str, list[Any]], words: str) -> None:
    assert words in refused(RowPerId("id", "x"), pd.DataFrame(submission))


def test_exact_columns_refuse_further_ones() -> None:
    extra = ANSWERS.assign(more=1)
    assert "further columns 'more'" in refused(RowPerId("id", "x", exact_columns=True), extra)


def test_numeric_ids_match_by_value() -> None:
    given, wanted = pd.Series([2.0, 1.0], name="id"), pd.Series([1, 2], name="id")
    assert match_ids(given, wanted).tolist() == [1, 0]


def test_repeated_ids_are_paired_in_their_order() -> None:
    given = pd.Series(["b", "a", "a"], name="id")
    wanted = pd.Series(["a", "a", "b"], name="id")
    assert match_ids(given, wanted).tolist() == [1, 2, 0]


def test_whole_numbers_are_paired_like_the_same_texts() -> None:
    r = np.random.default_rng(0)

    def outcome(given: Any, wanted: Any) -> Any:
        try:
            return match_ids(given, wanted).tolist()
        except InvalidSubmissionError as error:
            return str(error)

    found = []
    for _ in range(300):
        wanted = r.integers(-3, 9, r.integers(1, 7))
        given = r.permutation(wanted) if r.random() < 0.6 else r.integers(-4, 9, len(wanted))
        scale = r.choice([1, 1, 2**60])
        sides = [pd.Series(side * scale, name="id") for side in (given, wanted)]
        found.append(outcome(*sides))
        assert found[-1] == outcome(*(side.astype(str) for side in sides))
    assert {type(one) for one in found} == {list, str}


def test_sorted_keys_are_never_compared() -> None:
    submission = pd.DataFrame({"id": ["z", "x", "y"], "x": [30, 10, 20]})
    _, prediction, _ = RowPerSortedKey("id", "x").align(submission, ANSWERS)
    assert prediction.tolist() == [10, 20, 30]


def test_values() -> None:
    frame = pd.DataFrame({"p": [0.2, 0.9], "q": [0.8, 0.1]})
    assert probability_rows(frame).tolist() == [[0.2, 0.8], [0.9, 0.1]]
    assert finite_numbers(pd.DataFrame({"p": [True, False]})).tolist() == [1, 0]
    assert texts(pd.DataFrame({"t": ["a", None, 3]})).tolist() == ["a", "", "3"]
    with pytest.raises(InvalidSubmissionError, match=r"sum to 1\.1"):
        probability_rows(frame.assign(q=[0.8, 0.2]))
    with pytest.raises(
        InvalidSubmissionError, match=r"'1.5' in row 1, expected a number from 0 to 1"
    ):
        probabilities(pd.DataFrame({"p": [1.5, 0.1]}))
    with pytest.raises(InvalidSubmissionError, match="nothing in row 2"):
        labels(pd.DataFrame({"p": ["a", None]}))


def test_a01_a_verdict_is_the_same_whatever_the_answers_are() -> None:
    form = RowPerId("id", "x", values=probabilities)
    other = ANSWERS.assign(x=[7.0, 8.0, 9.0])
    generator = np.random.default_rng(0)

    def verdict(answers: pd.DataFrame, submission: pd.DataFrame) -> str:
        try:
            form.check(submission, form.keys(answers))
        except InvalidSubmissionError as error:
            return str(error)
        return "valid"

    for _ in range(200):
        mutated = pd.DataFrame(
            {
                "id": generator.choice(["a", "b", "c", "d"], 3),
                "x": generator.choice([0.5, np.nan, 2.0, 1.0], 3),
            }
        ).iloc[: generator.integers(2, 4)]
        assert verdict(ANSWERS, mutated) == verdict(other, mutated)


def test_columns_of_the_answers_are_known_only_where_the_format_names_all() -> None:
    class Other(RowPerId):
        """Might use any column."""

    assert RowPerId("id", ("x", "y")).answer_columns == ["id", "x", "y"]
    assert RowPerSortedKey("id", "x", truth="label").answer_columns == ["id", "label"]
    assert RowPerId("id", "x", truth=lambda answers: answers["y"]).answer_columns is None
    assert Other("id", "x").answer_columns is None
