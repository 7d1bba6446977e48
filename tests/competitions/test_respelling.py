"""Decimals are respelled to what Python prints, cell by cell."""

from __future__ import annotations

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlebench.competitions.new_york_city_taxi_fare_prediction.canonical import print_floats
from mlebench.competitions.new_york_city_taxi_fare_prediction.respelling import respell

PLAIN = [
    *("", "0", "-0", "0.0", "-0.0", "5", "-3", "45", "10", "100", "007", "00", "-01.5", "00.5"),
    *("1.0", "1.00", "1.50", "10.10", "0.1", "0.10", "0.01", "0.05", "0.0001", "0.00001", "-0.2"),
    *("123456789012345", "1234567890123456", "12345678901234567890", "999999999999999.9"),
    *("12345678901234.5", "0.123456789012345", "0.1234567890123456", "-73.98123456789012"),
    *("9007199254740993", "0.30000000000000004", "40.7", "-73.9", "1000000.0", "10000000000.5"),
]


def printed(text: str) -> str:
    return repr(float(text)) if text else ""


@pytest.mark.parametrize("last", ["", "1.5", "-7"])
def test_plain_decimals(last: str) -> None:
    texts = [*PLAIN, last]
    assert respell(pa.array(texts), print_floats).to_pylist() == [printed(t) for t in texts]


def test_what_is_right_is_not_touched() -> None:
    column = pa.array(["1.5", "", "-0.25"])
    assert respell(column, print_floats) is column


@pytest.mark.parametrize(
    "text", ["-", ".", "1-2", "--1", "1.2.3", "1e5", "nan", "NA", " 1", "+1", "1,5", "x", "½"]
)
def test_other_texts_are_left_to_others(text: str) -> None:
    for texts in (["1.5", text], [text], [text, "1.25", "-2"]):
        assert respell(pa.array(texts), print_floats) is None


@pytest.mark.long
@settings(max_examples=300, deadline=None)
@given(st.lists(st.from_regex(r"-?[0-9]{1,17}(\.[0-9]{1,17})?|", fullmatch=True), min_size=1))
def test_any_decimals(texts: list[str]) -> None:
    found = respell(pa.array(texts), print_floats)
    if found is not None:
        assert found.to_pylist() == [printed(text) for text in texts]
