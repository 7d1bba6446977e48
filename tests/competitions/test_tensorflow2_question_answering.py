"""JSON as pandas writes it, answers in all their spellings, and a score that counts blanks."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from mlebench.competitions.tensorflow2_question_answering.format import (
    AnswerRows,
    predicted_answers,
)
from mlebench.competitions.tensorflow2_question_answering.metric import share_of_right_answers
from mlebench.competitions.tensorflow2_question_answering.prepare import gold_rows, json_line
from mlebench.competitions.tensorflow2_question_answering.revision import answer_f1
from mlebench.errors import InvalidSubmissionError

TEXTS = ["a/b", "\x7f", "\\u007f", "\\\x7f\\", "é 😀 \u2028", '"\\/"', "\b\f\n\r\t\x00\x1f", "</P>"]


@pytest.mark.parametrize("text", TEXTS)
def test_json_lines_are_those_of_pandas(text: str) -> None:
    example = {"text": text, "list": [{"a": 1, "b": True}], "id": "-5"}
    expected = pd.DataFrame([example]).to_json(orient="records", lines=True)
    assert json_line(example).decode() == expected


def example(long: tuple[int, int], shorts: list[tuple[int, int]], yes_no: str) -> dict[str, Any]:
    def span(pair: tuple[int, int]) -> dict[str, int]:
        return {"start_token": pair[0], "end_token": pair[1]}

    found = {"yes_no_answer": yes_no, "long_answer": span(long)}
    found["short_answers"] = list(map(span, shorts))
    return {"example_id": "7", "annotations": [found]}


def test_gold_rows() -> None:
    assert gold_rows(example((3, 9), [(4, 5), (6, 7)], "NONE")) == [
        ("7_short", "4:5"),
        ("7_long", "3:9"),
    ]
    assert gold_rows(example((3, 9), [], "YES")) == [("7_short", "YES"), ("7_long", "3:9")]
    assert gold_rows(example((-1, -1), [], "NONE")) == [("7_short", ""), ("7_long", "")]


def test_any_annotated_short_answer_is_right() -> None:
    rows = AnswerRows()
    answers = [example((3, 9), [(4, 5), (6, 7)], "NONE")]
    table = pd.DataFrame({"example_id": ["7_short", "7_long"], "PredictionString": ["6:7", None]})
    assert rows.align(table, answers)[0] == ["3:9", "4:5 6:7"]
    # The short row is right, the long one is blank though there is an answer.
    assert share_of_right_answers(*rows.align(table, answers)[:2]) == 0.5


def test_a_blank_is_right_where_nothing_was_annotated() -> None:
    assert share_of_right_answers(["", "1:2", "", "1:2"], ["", "", "3:4", "1:2"]) == 0.5


def test_spellings_of_an_answer() -> None:
    cells = ["", None, " YES ", "NO", "12:15", " 007 : -3 ", "+1:2"]
    found = predicted_answers(pd.DataFrame({"PredictionString": cells}))
    assert found.tolist() == ["", "", "YES", "NO", "12:15", "7:-3", "1:2"]


@pytest.mark.parametrize("cell", ["yes", "5", "1:2:3", "a:b", "1:", ":", "1.0:2", "9:_"])
def test_other_cells_are_refused(cell: str) -> None:
    with pytest.raises(InvalidSubmissionError, match="expected nothing, YES, NO"):
        predicted_answers(pd.DataFrame({"PredictionString": ["1:2", cell]}))


def test_f1_of_revision_v1_1_leaves_out_true_negatives() -> None:
    truth = ["4:5 6:7", "", "1:2", "YES", "", "3:9"]
    # Right: 6:7 and 3:9. Wrong: 1:3, and 8:9 where there is none. Missed: YES. Not counted: row 2.
    guesses = ["6:7", "", "1:3", "", "8:9", "3:9"]
    assert answer_f1(truth, guesses) == 2 * 2 / (2 * 2 + 2 + 1)
    assert answer_f1(truth, [""] * 6) == 0
    assert answer_f1(truth, ["4:5", "", "1:2", "YES", "", "3:9"]) == 1
