"""Cells taken apart by the kernel give what Python's `split` and `float` give."""

import math
from random import Random

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mlebench.errors import InvalidSubmissionError
from mlebench.formats import cells
from mlebench.formats.cells import Cells, Separator

NAMES = ("x", "label", "y")

SPELLINGS = ["nan", "-NaN", "inf", "+Infinity", "1_000", ".5", "5.", "+.5e-3", "1e400", "1e-330"]
SPELLINGS += ["١٢", "0e9999999", "0.1e-25", "9007199254740993", "1e22", "1e23", "00012", "-0"]
# Halfway between two doubles, and a little beside that.
SPELLINGS += ["9007199254740993e0", "4503599627370497.5", "4503599627370497.50000000000000001"]
WRONG = [
    "",
    ".",
    "-",
    "e5",
    "1e",
    "1e+",
    "--1",
    "1,5",
    "0x10",
    "nan(1)",
    ".nan",
    "1.2.3",
    "infinit",
]

digits = st.text("0123456789", min_size=1, max_size=25)
decimals = st.builds(
    "{}{}.{}{}".format,
    st.sampled_from(["", "-", "+"]),
    digits,
    digits,
    st.sampled_from(["", "e5", "E-7", "e+22", "e-27", "e-300", "e300"]),
)
numbers = st.one_of(
    st.floats().map(repr), st.integers().map(str), decimals, st.sampled_from(SPELLINGS)
)
labels = st.one_of(
    st.sampled_from(["cat", "U+306F", "", "pedestrian"]), st.text("aé \t", max_size=9)
)
cell_texts = st.lists(st.tuples(numbers, labels, numbers).map(" ".join), max_size=3).map(" ".join)
odd_texts = st.lists(
    st.one_of(numbers, labels, st.sampled_from([*WRONG, "\t", "\x1c", "\u3000", "\xa0"])),
    max_size=7,
).map(" ".join)


def plain_words(cell: str, separator: Separator) -> list[str]:
    if separator == Separator.WHITE_SPACE:
        return cell.split()
    is_empty = not cell or (separator == Separator.BLANK_UNLESS_ALL and not cell.strip(" "))
    return [] if is_empty else cell.split(" ")


def plain_groups(column: list[str], separator: Separator) -> list[list[tuple[float, str, float]]]:
    rows = []
    for cell in column:
        words = plain_words(cell, separator)
        if len(words) % 3:
            raise ValueError
        triples = zip(words[::3], words[1::3], words[2::3], strict=True)
        rows.append([(float(x), label, float(y)) for x, label, y in triples])
    return rows


def as_column(texts: list[str]) -> pd.Series:
    """A column of several chunks, as pandas reads large files."""
    import pyarrow as pa

    chunks = [texts[:1], texts[1:2], [], texts[2:]]
    array = pa.chunked_array([pa.array(chunk, pa.large_string()) for chunk in chunks])
    return pd.Series(pd.arrays.ArrowStringArray(array))


def read_groups(column: object, separator: Separator) -> tuple:
    """Where the groups of each cell begin, their labels and their numbers."""
    listed = Cells.of(column, NAMES, separator)
    return listed.starts, *listed.read(0, len(listed))


def check(texts: list[str], separator: Separator) -> None:
    try:
        expected = plain_groups(texts, separator)
    except ValueError:
        with pytest.raises(InvalidSubmissionError):
            read_groups(as_column(texts), separator)
        return
    starts, labels, numbers = read_groups(as_column(texts), separator)
    assert np.diff(starts).tolist() == [len(row) for row in expected]
    flat = [group for row in expected for group in row]
    found = {(label, int(key)) for (_, label, _), key in zip(flat, labels, strict=True)}
    assert len({key for _, key in found}) == len({label for label, _ in found}) == len(found)
    wanted = np.array([(x, y) for x, _, y in flat], dtype=float).reshape(-1, 2)
    np.testing.assert_array_equal(numbers, wanted)
    np.testing.assert_array_equal(np.signbit(numbers[wanted == 0]), np.signbit(wanted[wanted == 0]))


@given(st.lists(cell_texts, max_size=5), st.sampled_from(Separator))
@example([f"{word} cat {word}" for word in SPELLINGS], Separator.BLANK)
@example([], Separator.WHITE_SPACE)
@example(["", "", ""], Separator.BLANK)
def test_lists_of_groups(texts: list[str], separator: Separator) -> None:
    check(texts, separator)


@given(st.lists(odd_texts, max_size=2), st.sampled_from(Separator))
@example([" "], Separator.BLANK)
@example(["  "], Separator.BLANK)
@example(["  "], Separator.BLANK_UNLESS_ALL)
@example(["1 cat 2 "], Separator.BLANK_UNLESS_ALL)
@example([" 1\x1ccat\u30002\n"], Separator.WHITE_SPACE)
def test_odd_lists(texts: list[str], separator: Separator) -> None:
    check(texts, separator)


@pytest.mark.parametrize("word", WRONG)
def test_words_that_are_no_numbers_are_named(word: str) -> None:
    with pytest.raises(InvalidSubmissionError, match="expected a number in groups of 'x label y'"):
        read_groups(pd.Series([f"1 cat {word}"]), Separator.BLANK)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_double_is_read_as_it_is_printed(value: float) -> None:
    text = f"{value!r} cat {value:.16e}"
    _, _, numbers = read_groups(pd.Series([text]), Separator.WHITE_SPACE)
    assert numbers.tolist() == [[value, value]]


def test_more_words_for_python_than_usual() -> None:
    text = " ".join(["1_0 cat 1e-200"] * (cells.FEW_ODD + 3))
    _, _, numbers = read_groups(pd.Series(["1 cat 2", text]), Separator.BLANK)
    assert numbers[1:].tolist() == [[10, 1e-200]] * (cells.FEW_ODD + 3)


def test_cells_with_very_many_groups_of_many_labels() -> None:
    text = " ".join(f"{k} label-of-number-{k} nan" for k in range(300_000))
    starts, labels, numbers = read_groups(pd.Series([text, text]), Separator.BLANK)
    assert starts.tolist() == [0, 300_000, 600_000]
    assert len(np.unique(labels)) == 300_000
    assert (labels[:300_000] == labels[300_000:]).all()
    assert math.isnan(numbers[5, 1])
    assert numbers[599_999, 0] == 299_999


def test_gaps_hold_no_groups() -> None:
    starts, _, _ = read_groups(pd.Series([None, "1 cat 2"]), Separator.BLANK)
    assert starts.tolist() == [0, 0, 1]
    starts, _, _ = read_groups(pd.Series([math.nan]), Separator.BLANK)
    assert starts.tolist() == [0, 0]


named_groups = st.tuples(numbers, st.sampled_from(["cat", "pedestrian"]), numbers)
spaced = st.lists(st.builds(str.join, st.sampled_from(["  ", "\u3000"]), named_groups), max_size=3)


@given(st.lists(spaced.map(" ".join), min_size=1, max_size=6), st.randoms(use_true_random=False))
def test_some_cells_in_another_order(texts: list[str], random: Random) -> None:
    whole = Cells.of(as_column(texts), NAMES, Separator.WHITE_SPACE)
    order = [random.randrange(len(texts)) for _ in range(8)]
    found = whole.in_order(np.array(order))
    for row, source in enumerate(order):
        assert np.diff(found.starts)[row] == np.diff(whole.starts)[source]
        read = zip(found.read(row, row + 1), whole.read(source, source + 1), strict=True)
        for values, expected in read:
            np.testing.assert_array_equal(values, expected)
