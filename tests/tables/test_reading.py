"""Types of columns do not depend on the version of pandas."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from mlebench.grading.reading import read_csv
from mlebench.tables import JsonLines, read_table

TABLES = {
    "whole numbers": ("id,n\n5e45577b,4\ny,3\n", "int64", [4, 3]),
    "a gap": ("id,n\n5e45577b,null\ny,3\n", "float64", [math.nan, 3.0]),
    "below zero": ("id,n\n5e45577b,-4\ny,3\n", "int64", [-4, 3]),
    "below zero with a gap": ("id,n\n1e999x,-4\ny,\n", "float64", [-4.0, math.nan]),
    "decimals": ("id,n\n5e45577b,0.1\ny,2.675\n", "float64", [0.1, 2.675]),
    "large": ("id,n\n5e45577b,18446744073709551615\ny,3\n", "uint64", [2**64 - 1, 3]),
}
"""A text that begins like a number beyond all floats comes before a column of numbers."""


@pytest.mark.parametrize(("text", "kind", "values"), TABLES.values(), ids=TABLES)
def test_numbers_after_a_text_like_a_number(
    text: str, kind: str, values: list[float], tmp_path: Path
) -> None:
    path = tmp_path / "table.csv"
    path.write_text(text)
    for table in (read_table(path), read_csv(text.encode())[0]):
        assert table["n"].dtype == kind
        assert str(table["n"].tolist()) == str(values)
        assert table["id"].tolist() == [text.split("\n")[1].split(",")[0], "y"]


@pytest.mark.parametrize(("text", "kind", "values"), TABLES.values(), ids=TABLES)
def test_some_columns_have_the_types_they_have_among_all(
    text: str, kind: str, values: list[float]
) -> None:
    (table, _), (whole, _) = (read_csv(text.encode(), columns=names) for names in (["n"], None))
    assert list(table.columns) == ["n"]
    assert table["n"].dtype == whole["n"].dtype == kind
    assert table["n"].to_list() == pytest.approx(values, nan_ok=True)


def test_json_lines_are_read_as_json_reads_them(tmp_path: Path) -> None:
    lines = [
        '{"a": NaN, "b": [Infinity, 1e400]}',
        '{"a": 123456789012345678901234567890, "b": 0.1}',
        '{"a": 1, "a": "Zoë \\u2028", "b": null}',
    ]
    file = tmp_path / "answers.jsonl"
    file.write_text("\n\n".join(lines), "utf-8")
    assert repr(list(JsonLines(file))) == repr([json.loads(line) for line in lines])
