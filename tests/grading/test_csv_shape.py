from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mlebench.grading import csv_shape
from mlebench.grading.csv_shape import Counts, count_newlines, count_signs, line_end

SIGNS = st.text(alphabet='a1,"\n\r\0 é', max_size=400).map(str.encode)


def counted(data: bytes, *, is_open: bool = False) -> tuple[int, ...]:
    """Letter by letter: line ends and commas outside quotes, quotes, whether one is stray."""
    newlines = commas = stray = 0
    quotes = int(is_open)
    for place, letter in enumerate(data.decode("latin-1")):
        if letter == '"':
            stray |= quotes % 2 == 0 and place > 0 and data[place - 1] not in b'",\n'
            quotes += 1
        elif quotes % 2 == 0:
            newlines += letter == "\n"
            commas += letter == ","
    return newlines, commas, quotes - is_open, int(stray)


def require_same(counts: Counts, data: bytes) -> None:
    assert facts(counts) == counted(data)
    assert facts(counts.opened()) == counted(data, is_open=True)
    assert (counts.all_newlines, counts.all_commas) == (data.count(b"\n"), data.count(b","))
    assert [bool(counts.has_nul), bool(counts.has_return)] == [b"\0" in data, b"\r" in data]
    assert bool(counts.has_high) != data.isascii()


def facts(counts: Counts) -> tuple[int, ...]:
    return counts.newlines, counts.commas, counts.quotes, int(counts.has_stray > 0)


@given(SIGNS)
def test_signs_are_counted_as_letter_by_letter(data: bytes) -> None:
    require_same(count_signs(memoryview(data)), data)


@given(SIGNS, st.integers(16_000, 17_000), st.sampled_from([b"1,2\n", b'"a,\n",b\n']))
def test_what_stands_across_the_edge_of_a_block_counts_the_same(
    data: bytes, before: int, line: bytes
) -> None:
    whole = (line * (before // len(line)))[: before - before % len(line)] + data + line * 5_000
    require_same(count_signs(memoryview(whole)), whole)


@given(SIGNS)
def test_pieces_side_by_side_count_as_one(data: bytes) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(csv_shape, "PIECE", 7)
        require_same(count_signs(memoryview(data)), data)
        assert count_newlines(memoryview(data)) == data.count(b"\n")


@given(SIGNS, st.integers(0, 80), st.booleans())
def test_the_next_line_end_outside_quotes(data: bytes, place: int, is_open: bool) -> None:
    quotes, expected = int(is_open), len(data)
    for k in range(place, len(data)):
        quotes += data[k] == ord('"')
        if data[k] == ord("\n") and quotes % 2 == 0:
            expected = k + 1
            break
    found = line_end(np.frombuffer(data, np.uint8), min(place, len(data)), is_open=is_open)
    assert found == expected
