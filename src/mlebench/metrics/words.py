"""Texts taken apart into words: one list of words a row, all lists laid end to end.

The work is done by Arrow on whole columns; a Python loop would cost more than reading the files.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Words:
    """The words of many rows."""

    flat: Any
    """An Arrow array of all words, row after row."""

    starts: Any
    """Where each row's words begin, and where the last ones end."""

    @property
    def counts(self) -> Any:
        return np.diff(self.starts)

    @property
    def rows(self) -> Any:
        """The row of each word."""
        return np.repeat(np.arange(len(self.starts) - 1), self.counts)


def as_arrow(texts: Any) -> Any:
    """An Arrow array of any sequence of texts."""
    import pyarrow as pa

    array = pa.array(texts, type=pa.large_string())
    return array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array


def split_words(texts: Any) -> Words:
    """Words between white space of any kind and length, as `str.split()` finds them."""
    import pyarrow.compute as pc

    # At either end of a text white space makes an empty word, which is none.
    pieces = _words(pc.utf8_split_whitespace(as_arrow(texts)))
    is_word = pc.not_equal(pieces.flat, "").to_numpy(zero_copy_only=False)
    if is_word.all():
        return pieces
    before = np.concatenate([[0], np.cumsum(is_word)])
    return Words(pieces.flat.filter(is_word), before[pieces.starts])


def split_at_blanks(texts: Any) -> Words:
    """Pieces between single blanks, as `str.split(" ")` finds them; some may be empty."""
    import pyarrow.compute as pc

    return _words(pc.split_pattern(as_arrow(texts), pattern=" "))


def _words(lists: Any) -> Words:
    starts = lists.offsets.to_numpy()
    return Words(lists.values.slice(starts[0], starts[-1] - starts[0]), starts - starts[0])


def number_words(true: Words, predicted: Words) -> tuple[Any, Any]:
    """Each word as a number, the same on both sides; those of the truth come first."""
    return number_texts(true.flat, predicted.flat)


def number_texts(first: Any, second: Any) -> tuple[Any, Any]:
    """Each text of two Arrow arrays as a number, in order of appearance."""
    import pyarrow as pa

    indices = pa.concat_arrays([first, second]).dictionary_encode().indices
    numbers = np.array(indices.to_numpy())
    return numbers[: len(first)], numbers[len(first) :]
