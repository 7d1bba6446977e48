from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mlebench.grading.csv_shape import Counts, count_signs

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
