from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mlebench.grading import csv_shape
from mlebench.grading.csv_shape import Counts, count_newlines, count_signs

SIGNS = st.text(alphabet='a1,"\n\r\0 é', max_size=400).map(str.encode)


def counted(data: bytes) -> Counts:
    """The same, letter by letter."""
    newlines = commas = quotes = stray = 0
    for place, letter in enumerate(data.decode("latin-1")):
        if letter == '"':
            stray += quotes % 2 == 0 and place > 0 and data[place - 1] not in b'",\n'
            quotes += 1
        elif quotes % 2 == 0:
            newlines += letter == "\n"
            commas += letter == ","
    flags = (int(b"\0" in data), int(b"\r" in data), int(not data.isascii()))
    return Counts(newlines, commas, quotes, stray, data.count(b"\n"), *flags)


@given(SIGNS)
def test_signs_are_counted_as_letter_by_letter(data: bytes) -> None:
    assert count_signs(memoryview(data)) == counted(data)


@given(SIGNS, st.integers(16_000, 17_000), st.sampled_from([b"1,2\n", b'"a,\n",b\n']))
def test_what_stands_across_the_edge_of_a_block_counts_the_same(
    data: bytes, before: int, line: bytes
) -> None:
    whole = (line * (before // len(line)))[: before - before % len(line)] + data + line * 5_000
    assert count_signs(memoryview(whole)) == counted(whole)


@pytest.mark.parametrize("line", [b"1,2\n", b'"a,\n",b\n', b"a\0,\xc3\xa9\r\n"])
def test_pieces_side_by_side_count_as_one(line: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    data = memoryview(line * 1000)
    whole, newlines = count_signs(data), count_newlines(data)
    monkeypatch.setattr(csv_shape, "PIECE", 100)
    pieces = count_signs(data)
    assert count_newlines(data) == newlines == whole.all_newlines
    assert pieces.newlines == whole.newlines
    assert pieces.commas == whole.commas
    assert bool(pieces.has_nul) == bool(whole.has_nul)
    assert bool(pieces.has_return) == bool(whole.has_return)
    assert bool(pieces.has_high) == bool(whole.has_high)
