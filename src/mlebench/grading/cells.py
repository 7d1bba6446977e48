"""Cells that hold lists of words or numbers: whole columns at once, without Python strings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from mlebench.errors import InvalidSubmissionError


def require_texts(column: Any, *, gaps: bool, expected: str) -> None:
    """A column that pandas reads as text; one without any value is a column of gaps."""
    from pandas.api.types import is_numeric_dtype

    is_gap = column.isna().to_numpy()
    if is_gap.any() and not gaps:
        raise InvalidSubmissionError(
            f"column {column.name!r} has nothing in row {int(np.argmax(is_gap)) + 1},"
            f" expected {expected}"
        )
    if is_numeric_dtype(column) and not is_gap.all():
        found = column.iloc[int(np.argmin(is_gap))]
        raise InvalidSubmissionError(
            f"column {column.name!r} holds only single numbers such as {found}, expected {expected}"
        )


@dataclass(frozen=True)
class WordLists:
    """The words of each cell of a column, laid end to end."""

    flat: Any
    """An Arrow array of all words."""

    starts: Any
    """Where each cell's words begin, and at the end how many there are."""

    @property
    def counts(self) -> Any:
        return np.diff(self.starts)

    @property
    def rows(self) -> Any:
        """The row of each word."""
        return np.repeat(np.arange(len(self.starts) - 1), self.counts)

    def only(self, kept: Any, starts: Any) -> WordLists:
        """Some of the words, with the new places where cells begin."""
        return WordLists(self.flat.filter(kept), starts)


def split_at_blanks(texts: Any) -> WordLists:
    """Words of Arrow texts between single blanks; texts of blanks alone hold none."""
    import pyarrow.compute as pc

    words = _lists(pc.split_pattern(texts, pattern=" "))
    has_words = np.diff(_words_before(words)[words.starts]) > 0
    counts = np.where(has_words, words.counts, 0)
    starts = np.concatenate([[0], np.cumsum(counts)])
    return words if has_words.all() else words.only(np.repeat(has_words, words.counts), starts)


def split_at_white_space(texts: Any) -> WordLists:
    """Words of Arrow texts between white space of any length."""
    import pyarrow.compute as pc

    words = _lists(pc.ascii_split_whitespace(texts))
    before = _words_before(words)
    # At either end of a text white space makes an empty word, which is none.
    return (
        words
        if before[-1] == len(words.flat)
        else words.only(np.diff(before) > 0, before[words.starts])
    )


def text_cells(column: Any) -> Any:
    """A column of texts as one Arrow array; gaps are empty texts."""
    import pyarrow as pa

    is_gap = column.isna()
    texts = [""] * len(column) if is_gap.all() else column.fillna("") if is_gap.any() else column
    array = pa.array(texts, type=pa.large_string())
    return array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array


def _lists(lists: Any) -> WordLists:
    starts = lists.offsets.to_numpy()
    return WordLists(lists.values.slice(starts[0], starts[-1] - starts[0]), starts - starts[0])


def _words_before(words: WordLists) -> Any:
    """How many words that are not empty stand before each, and in all."""
    import pyarrow.compute as pc

    is_word = pc.not_equal(words.flat, "").to_numpy(zero_copy_only=False)
    return np.concatenate([[0], np.cumsum(is_word)])


def number_words(first: Any, second: Any) -> tuple[Any, Any]:
    """Words of both arrays as numbers from 0, equal for equal words."""
    import pyarrow as pa

    numbers = pa.concat_arrays([first, second]).dictionary_encode().indices.to_numpy()
    return numbers[: len(first)].astype(np.int64), numbers[len(first) :].astype(np.int64)


def parse_numbers(words: Any, expected: str) -> Any:
    """Words as floats, spelled as Python spells them."""
    import pyarrow as pa

    try:
        return words.cast(pa.float64()).to_numpy()
    except pa.ArrowInvalid:
        # Arrow takes fewer spellings than Python and does not say which word is wrong.
        return np.array([_number(word, expected) for word in words.to_pylist()])


def _number(word: str, expected: str) -> float:
    try:
        return float(word)
    except ValueError:
        raise InvalidSubmissionError(f"found {word[:60]!r}, expected {expected}") from None
