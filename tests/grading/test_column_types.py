"""Columns as pandas 2.2.3 types them: the expected values were read with it, once."""

from __future__ import annotations

import math

import pandas as pd
import pytest

from mlebench.grading.column_types import published_values
from mlebench.grading.reading import read_csv

HUGE = "99999999999999999999"
CASES = [
    (["1", HUGE], ["1", HUGE]),
    (["+17", " 7", "007", HUGE], ["+17", " 7", "007", HUGE]),
    ([HUGE, "0.5"], [HUGE, "0.5"]),
    (["0.5", HUGE], [0.5, 1e20]),
    ([HUGE, "n/a", "-"], [HUGE, None, "-"]),
    (["79343453444571165360128.000"], ["79343453444571165360128.000"]),
    (["18446744073709551615", "1"], [2**64 - 1, 1]),
    (["18446744073709551616"], ["18446744073709551616"]),
    (["9223372036854775808", "-1"], ["9223372036854775808", "-1"]),
    (["9223372036854775808", "", "NA"], ["9223372036854775808", "", "NA"]),
    (["9223372036854775808", "0.5"], [2.0**63, 0.5]),
    (["-9223372036854775809"], ["-9223372036854775809"]),
    (["-9223372036854775808", "1"], [-(2**63), 1]),
    (["-9223372036854775808", "", "1"], [None, None, 1.0]),
    (["1e999", "2"], ["1e999", "2"]),
    (["-1e999", "2"], [-math.inf, 2.0]),
    (["inf", "2"], [math.inf, 2.0]),
    (["1.8e308", "NaN"], ["1.8e308", None]),
    (["1e308", ""], [1e308, None]),
    (["True", "1"], ["True", "1"]),
    (["True", "false"], [True, False]),
    ([f"{'0' * 30}7", "1"], [7, 1]),
    (["9" * 5000], ["9" * 5000]),
]


@pytest.mark.parametrize(("cells", "expected"), CASES, ids=lambda cells: ",".join(map(str, cells)))
def test_a_column_is_typed_as_by_pandas_2_2(cells: list[str], expected: list[object]) -> None:
    text = "\n".join(["id,x", *(f"{k},{cell}" for k, cell in enumerate(cells))])
    table, _ = read_csv(text.encode())
    found = [None if pd.isna(value) else value for value in table["x"].tolist()]
    assert found == expected
    assert [type(value) for value in found] == [type(value) for value in expected]


def test_the_columns_that_became_texts_are_named() -> None:
    table, retyped = read_csv(f"id,x,y\n1,2,{HUGE}\n".encode())
    assert table["id"].tolist() == [1]
    assert retyped in (["y"], []), "pandas 2 types them so by itself"
    assert published_values([HUGE]) == [HUGE]
