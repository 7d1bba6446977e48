from __future__ import annotations

import numpy as np
import pandas as pd
from hypothesis import example, given
from hypothesis import strategies as st

from mlebench.formats.close_ids import SPARSEST, Match, place, strange_rows

LEAST, GREATEST = -(2**63), 2**63 - 1
ODD = st.sampled_from([LEAST, LEAST + 1, GREATEST, GREATEST - 1, 2**32, 2**62])
NUMBERS = st.lists(st.integers(-3, 9) | ODD, max_size=30)


def column(numbers: list[int]) -> pd.Series:
    return pd.Series(numbers, dtype="int64", name="id")


def is_close(numbers: list[int]) -> bool:
    return bool(numbers) and max(numbers) - min(numbers) <= SPARSEST * len(numbers)


@given(NUMBERS, NUMBERS)
@example([LEAST, LEAST + 3], [LEAST + 3, GREATEST])
@example([GREATEST], [LEAST])
def test_strangers_are_found(ids: list[int], known: list[int]) -> None:
    rows = strange_rows(column(ids), column(known))
    if not is_close(ids) and not is_close(known):
        assert rows is None
    else:
        assert rows.tolist() == [row for row, number in enumerate(ids) if number not in known]


@given(NUMBERS, st.permutations(range(20)), st.data())
def test_each_wanted_id_is_placed(extra: list[int], wanted: list[int], data: st.DataObject) -> None:
    given_ids = data.draw(st.permutations(wanted))
    assert place(column(given_ids), column(wanted))[0] == Match.PLACED
    order = place(column(given_ids), column(wanted))[1]
    assert [given_ids[row] for row in order] == wanted
    foreign = [*extra, *given_ids][: len(wanted)]
    match, _ = place(column(foreign), column(wanted))
    assert match == (Match.PLACED if sorted(foreign) == sorted(wanted) else Match.DIFFERENT)


def test_what_cannot_be_placed_is_left_to_others() -> None:
    ids = column([1, 2, 3])
    for other in (column([1, 1, 3]), ids.astype(float), ids.astype("Int64"), column([0, 1, 90])):
        assert place(ids, other)[0] != Match.PLACED
    assert place(ids.astype(float), ids)[0] == Match.UNKNOWN
    assert place(column([1, 1, 3]), column([1, 1, 3]))[0] == Match.UNKNOWN
    assert place(column([1, 2]), ids)[0] == Match.UNKNOWN
    assert place(column([]), column([]))[0] == Match.UNKNOWN
    assert strange_rows(ids.astype(float), ids) is None
    assert strange_rows(ids, ids.astype(float)) is None


def test_columns_with_gaps_between_their_numbers_are_read_right() -> None:
    wide = pd.DataFrame(np.arange(12).reshape(6, 2), columns=["id", "other"])
    ids = pd.Series(wide.to_numpy()[:, 0])
    assert place(ids[::-1], ids)[1].tolist() == [5, 4, 3, 2, 1, 0]
    assert strange_rows(ids[::2], ids[2:]).tolist() == [0]
