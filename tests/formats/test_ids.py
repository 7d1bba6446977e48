from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mlebench.errors import InvalidSubmissionError
from mlebench.formats.ids import SPARSEST, are_unique, is_equal, look_up
from mlebench.formats.matching import match_rows

TEXTS = st.lists(st.text(alphabet="ab1é ", min_size=1, max_size=20), max_size=60)
NUMBERS = st.lists(st.integers(-(2**63), 2**63 - 1) | st.integers(0, 9), max_size=60)
LEAST, GREATEST = -(2**63), 2**63 - 1
ODD = st.sampled_from([LEAST, LEAST + 1, GREATEST, GREATEST - 1, 2**32, 2**62])


def first_rows(known: list[Any], wanted: list[Any]) -> list[int]:
    return [known.index(id) if id in known else -1 for id in wanted]


@given(TEXTS, TEXTS)
def test_texts_are_found_where_they_occur_first(known: list[str], wanted: list[str]) -> None:
    for kind in ("str", object):
        sides = (pd.Series(side, dtype=kind) for side in (known, known[::-1] + wanted))
        assert look_up(*sides).tolist() == first_rows(known, known[::-1] + wanted)


@given(NUMBERS, NUMBERS)
def test_numbers_are_found_where_they_occur_first(known: list[int], wanted: list[int]) -> None:
    sides = (pd.Series(side, dtype="int64") for side in (known, known[::-1] + wanted))
    assert look_up(*sides).tolist() == first_rows(known, known[::-1] + wanted)


@given(st.lists(st.integers(-3, 9) | ODD, max_size=30), st.permutations(range(12)), st.data())
@example([LEAST, GREATEST], [*range(12)], None)
def test_numbers_that_are_close_together(
    wanted: list[int], known: list[int], data: st.DataObject
) -> None:
    shift = data.draw(st.sampled_from([LEAST, -5, 0, GREATEST - 11])) if data else LEAST
    repeats = data.draw(st.lists(st.sampled_from(known))) if data else []
    known = [shift + number for number in [*known, *repeats]]
    assert max(known) - min(known) <= SPARSEST * len(known)
    sides = (pd.Series(side, dtype="int64") for side in (known, wanted))
    assert look_up(*sides).tolist() == first_rows(known, wanted)


def test_columns_that_are_not_contiguous() -> None:
    ids = pd.Series(np.arange(12).reshape(6, 2)[:, 0])
    assert look_up(ids[::-1], ids).tolist() == [5, 4, 3, 2, 1, 0]
    assert look_up(ids[2:], ids[::2]).tolist() == [-1, 0, 2]


@given(TEXTS | NUMBERS, st.booleans())
def test_an_id_that_occurs_twice(ids: list[Any], is_sorted: bool) -> None:
    column = pd.Series(sorted(ids) if is_sorted else ids)
    assert are_unique(column) == (len(set(ids)) == len(ids))


def test_gaps_are_equal_ids() -> None:
    assert are_unique(pd.Series(["a", None, "b"], dtype="str"))
    assert not are_unique(pd.Series(["a", None, None], dtype="str"))


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


@given(st.lists(st.text("aé", max_size=9)), st.integers(0, 9), st.integers(0, 9), st.data())
def test_texts_are_equal_however_they_are_stored(
    texts: list[str], cut: int, other_cut: int, data: st.DataObject
) -> None:
    def column(cells: list[str], cut: int) -> pd.Series:
        pieces = [pd.Series(part, dtype="str") for part in ([*cells[:cut]], [*cells[cut:]])]
        return pd.concat(pieces, ignore_index=True)

    assert is_equal(column(texts, cut), column(texts, other_cut))
    if texts:
        row = data.draw(st.integers(0, len(texts) - 1))
        changed = [*texts[:row], data.draw(st.text("aé", max_size=9)), *texts[row + 1 :]]
        same = changed == texts
        assert is_equal(column(changed, cut), column(texts, other_cut)) == same


@pytest.mark.parametrize("row", [0, 100])
@pytest.mark.parametrize(
    "ids",
    [
        np.arange(200),
        np.arange(200.0),
        np.arange(200, dtype=np.uint8),
        [f"id {k}" for k in range(200)],
        pd.array(range(200), dtype="Int64"),
    ],
)
def test_one_other_id_or_gap_makes_columns_differ(ids: Any, row: int) -> None:
    one, other = pd.Series(ids).copy(), pd.Series(ids).copy()
    assert is_equal(one, other)
    assert not is_equal(one, other[:-1])
    assert not is_equal(one, other.astype("category"))
    other[row] = other[row + 1]
    assert not is_equal(one, other)
    if one.dtype.kind in "Of" and one.dtype != "Int64":
        one[row] = other[row] = None
        assert not is_equal(one, other)


def test_refused_rows_are_named_as_in_the_file() -> None:
    wanted = pd.DataFrame({"trip": ["a", "a"], "time": [1, 2]})
    for times, words in (
        ([1, 1], "hold a, 1 more than once"),
        ([1, 3], "which holds a, 2; expected"),
    ):
        with pytest.raises(InvalidSubmissionError, match=words):
            match_rows(wanted.assign(time=times), wanted)
