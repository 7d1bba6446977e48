"""Groups of words in cells, against Python's `split` and `float` for each word."""

import math

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mlebench.errors import InvalidSubmissionError
from mlebench.formats.cells import (
    Split,
    at_blanks,
    at_blanks_unless_all,
    at_white_space,
    read_groups,
)

NAMES = ("x", "label", "y")
SPLITS = {
    at_white_space: str.split,
    at_blanks: lambda cell: cell.split(" ") if cell else [],
    at_blanks_unless_all: lambda cell: cell.split(" ") if cell.strip(" ") else [],
}

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


def plain_groups(column: list[str], split: Split) -> list[list[tuple[float, str, float]]]:
    rows = []
    for cell in column:
        words = SPLITS[split](cell)
        if len(words) % 3:
            raise ValueError
        triples = zip(words[::3], words[1::3], words[2::3], strict=True)
        rows.append([(float(x), label, float(y)) for x, label, y in triples])
    return rows


def as_column(texts: list[str]) -> pd.Series:
    """A column of several chunks, as pandas reads large files."""
    chunks = [texts[:1], texts[1:2], [], texts[2:]]
    array = pa.chunked_array([pa.array(chunk, pa.large_string()) for chunk in chunks])
    return pd.Series(pd.arrays.ArrowStringArray(array))


def check(texts: list[str], split: Split) -> None:
    try:
        expected = plain_groups(texts, split)
    except ValueError:
        with pytest.raises(InvalidSubmissionError):
            read_groups(as_column(texts), NAMES, split)
        return
    counts, labels, numbers = read_groups(as_column(texts), NAMES, split)
    assert counts.tolist() == [len(row) for row in expected]
    flat = [group for row in expected for group in row]
    found = {(label, int(key)) for (_, label, _), key in zip(flat, labels, strict=True)}
    assert len({key for _, key in found}) == len({label for label, _ in found}) == len(found)
    wanted = np.array([(x, y) for x, _, y in flat], dtype=float).reshape(-1, 2)
    np.testing.assert_array_equal(numbers, wanted)
    np.testing.assert_array_equal(np.signbit(numbers[wanted == 0]), np.signbit(wanted[wanted == 0]))


@given(st.lists(cell_texts, max_size=5), st.sampled_from([*SPLITS]))
@example([f"{word} cat {word}" for word in SPELLINGS], at_blanks)
@example([], at_white_space)
@example(["", "", ""], at_blanks)
def test_lists_of_groups(texts: list[str], split: Split) -> None:
    check(texts, split)


@given(st.lists(odd_texts, max_size=2), st.sampled_from([*SPLITS]))
@example([" "], at_blanks)
@example(["  "], at_blanks)
@example(["  "], at_blanks_unless_all)
@example(["1 cat 2 "], at_blanks_unless_all)
@example([" 1\x1ccat\u30002\n"], at_white_space)
def test_odd_lists(texts: list[str], split: Split) -> None:
    check(texts, split)


@pytest.mark.parametrize("word", WRONG)
def test_words_that_are_no_numbers_are_named(word: str) -> None:
    with pytest.raises(InvalidSubmissionError, match="expected a number in groups of 'x label y'"):
        read_groups(pd.Series([f"1 cat {word}"]), NAMES, at_blanks)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_double_is_read_as_it_is_printed(value: float) -> None:
    text = f"{value!r} cat {value:.16e}"
    _, _, numbers = read_groups(pd.Series([text]), NAMES, at_white_space)
    assert numbers.tolist() == [[value, value]]


def test_cells_with_very_many_groups_of_many_labels() -> None:
    text = " ".join(f"{k} label-of-number-{k} nan" for k in range(300_000))
    counts, labels, numbers = read_groups(pd.Series([text, text]), NAMES, at_blanks)
    assert counts.tolist() == [300_000, 300_000]
    assert len(np.unique(labels)) == 300_000
    assert (labels[:300_000] == labels[300_000:]).all()
    assert math.isnan(numbers[5, 1])
    assert numbers[599_999, 0] == 299_999


def test_gaps_hold_no_groups() -> None:
    counts, _, _ = read_groups(pd.Series([None, "1 cat 2"]), NAMES, at_blanks)
    assert counts.tolist() == [0, 1]
    counts, _, _ = read_groups(pd.Series([math.nan]), NAMES, at_blanks)
    assert counts.tolist() == [0]


def test_many_cells() -> None:
    texts = [f"{k} cat {2 * k}" for k in range(3 * 1000 + 1)]
    _, labels, numbers = read_groups(as_column(texts), NAMES, at_white_space)
    assert len(set(labels.tolist())) == 1
    assert numbers.tolist() == [[k, 2 * k] for k in range(len(texts))]
    texts[-2] += " 7"
    with pytest.raises(InvalidSubmissionError, match=f"row {len(texts) - 1} has 4 words"):
        read_groups(as_column(texts), NAMES, at_white_space)


def test_whole_numbers_beyond_64_bits_are_words() -> None:
    column = pd.Series([10**30, None], dtype=object)
    assert read_groups(column, ("x",), at_white_space).numbers.tolist() == [[1e30]]
