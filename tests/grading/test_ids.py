from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mlebench.grading.ids import look_up, look_up_and_repeat

TEXTS = st.lists(st.text(alphabet="ab1é ", min_size=1, max_size=20), max_size=60)
NUMBERS = st.lists(st.integers(-(2**63), 2**63 - 1) | st.integers(0, 9), max_size=60)


def first_rows(known: list[Any], wanted: list[Any]) -> list[int]:
    return [known.index(id) if id in known else -1 for id in wanted]


@given(TEXTS, TEXTS)
def test_texts_are_found_where_they_stand_first(known: list[str], wanted: list[str]) -> None:
    for kind in ("str", object):
        sides = (pd.Series(side, dtype=kind) for side in (known, known[::-1] + wanted))
        assert look_up(*sides).tolist() == first_rows(known, known[::-1] + wanted)


@given(NUMBERS, NUMBERS)
def test_numbers_are_found_where_they_stand_first(known: list[int], wanted: list[int]) -> None:
    sides = (pd.Series(side, dtype="int64") for side in (known, known[::-1] + wanted))
    assert look_up(*sides).tolist() == first_rows(known, known[::-1] + wanted)


@given(TEXTS)
def test_the_first_repeat_is_found(ids: list[str]) -> None:
    repeats = [row for row, id in enumerate(ids) if id in ids[:row]]
    for kind in ("str", object):
        column = pd.Series(ids, dtype=kind)
        assert look_up_and_repeat(column, column)[1] == (repeats[0] if repeats else -1)


def test_a_text_is_no_number_and_a_gap_no_text() -> None:
    texts, numbers = pd.Series(["1", "2"], dtype="str"), pd.Series([1, 2])
    assert look_up(texts, numbers).tolist() == [-1, -1]
    assert look_up(numbers, texts).tolist() == [-1, -1]
    gaps = pd.Series(["1", None], dtype="str")
    assert look_up(gaps, texts).tolist() == [0, -1]


@pytest.mark.parametrize("kind", ["int64", "str"])
def test_a_long_column_in_another_order_is_put_in_order(kind: str) -> None:
    ids = np.random.default_rng(0).permutation(200_000)
    known, wanted = pd.Series(ids).astype(kind), pd.Series(np.arange(200_000)).astype(kind)
    assert (ids[look_up(known, wanted)] == np.arange(200_000)).all()
