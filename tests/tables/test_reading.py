"""Types of columns do not depend on the version of pandas."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from mlebench.grading.reading import read_csv
from mlebench.tables import read_table

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
