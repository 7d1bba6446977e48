"""Columns of texts, as Arrow stores them or as Python's strings."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from mlebench.metrics.whole_numbers import WORD_BYTES, join_digits, joined_texts, windows_before

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from pandas.api.extensions import ExtensionArray

    Texts: TypeAlias = Sequence[str] | NDArray[np.object_] | ExtensionArray
    """A column of texts, as Python or pandas stores it."""


ALL = slice(None)
KEY_BYTES = 8
DIGITS = np.uint64(0x3030303030303030)
"""Eight times the character 0."""

NINES, HIGH_BITS = np.uint64(0x7676767676767676), np.uint64(0x8080808080808080)
"""Added to a digit, 0x76 sets no high bit; added to more than 9, it does."""


def as_arrow(texts: Any) -> Any:
    """An Arrow array of any sequence of texts."""
    column = in_chunks(texts)
    return column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()


def in_chunks(texts: Any) -> Any:
    """A chunked Arrow array of any sequence of texts, in the chunks in which it is stored."""
    import pyarrow as pa

    column = pa.array(texts, type=pa.large_string())
    return column if isinstance(column, pa.ChunkedArray) else pa.chunked_array([column])


def python_texts(texts: Texts) -> list[str]:
    """Any sequence of texts as Python's strings."""
    if isinstance(texts, list | tuple | np.ndarray):
        return list(texts)
    found: list[str] = in_chunks(texts).to_pylist()
    return found


def key_of_word(word: str) -> int:
    """A number for a word: its bytes, or a hash where they are too many for 64 bits.

    Hashes collide only by chance: forcing a collision would take Python's hash secret.
    """
    data = word.encode()
    if len(data) > KEY_BYTES or b"\0" in data:
        return hash(word)
    return int.from_bytes(data.rjust(KEY_BYTES, b"\0"), "little", signed=True)


def keys_of_words(texts: Texts) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """How many words each text has, and the keys of all words."""
    column = as_arrow(texts)
    words = PlainWords.of(column)
    if words is not None:
        return words.counts, words.keys()
    lists = [text.split() for text in column.to_pylist()]
    keys = [key_of_word(word) for words in lists for word in words]
    return np.array([*map(len, lists)], np.int64), np.array(keys, np.int64)


@dataclass(frozen=True)
class PlainWords:
    """The words of texts that consist of printable ASCII characters."""

    text: NDArray[np.uint8]
    """All texts, each non-empty one followed by a blank."""

    counts: NDArray[np.int64]
    """How many words each text has."""

    starts: NDArray[np.int64]
    ends: NDArray[np.int64]

    @classmethod
    def of(cls, column: Any) -> PlainWords | None:
        """The words in an Arrow array of texts; None if one of them is not plain."""
        text, bounds = joined_texts(column)
        if not len(text) or text.min() < ord(" ") or text.max() > ord("~"):
            return None
        ends = np.flatnonzero(text == ord(" "))
        starts = np.append(0, ends[:-1] + 1)
        if (is_word := starts < ends).sum() < len(ends):
            starts, ends = starts[is_word], ends[is_word]
        return cls(text, np.diff(np.searchsorted(ends, bounds)), starts, ends)

    def has_single_blanks(self) -> bool:
        """Whether blanks occur only between words, one at a time."""
        letters = int(self.ends.sum() - self.starts.sum())
        return len(self.text) == letters + len(self.starts)

    def keys(self, some: slice = ALL) -> NDArray[np.int64]:
        """The keys of some words."""
        starts, ends = self.starts[some], self.ends[some]
        lengths = ends - starts
        tails = self._windows[ends]
        tails &= WORD_BYTES.take(lengths, mode="clip")
        keys = tails.view(np.int64)
        long = np.flatnonzero(lengths > KEY_BYTES)
        if len(long):
            text = self.text.tobytes().decode()
            bounds = zip(starts[long].tolist(), ends[long].tolist(), strict=True)
            keys[long] = [hash(text[start:end]) for start, end in bounds]
        return keys

    def whole_numbers(self, some: slice = ALL) -> NDArray[np.uint64] | None:
        """Some words as numbers; None if one of them is not up to eight digits."""
        starts, ends = self.starts[some], self.ends[some]
        lengths = ends - starts
        if lengths.max(initial=0) > KEY_BYTES:
            return None
        # In place: new arrays of this size cost more than the arithmetic.
        found = self._windows[ends]
        found ^= DIGITS
        found &= WORD_BYTES.take(lengths)
        high = found + NINES
        high &= HIGH_BITS
        if high.any():
            return None
        return join_digits(found)

    def texts(self, some: slice) -> Any:
        """Some words as an Arrow array."""
        return self._texts.take(np.arange(len(self.starts))[some])

    @cached_property
    def _texts(self) -> Any:
        import pyarrow as pa

        offsets = np.append(0, np.cumsum(self.ends - self.starts))
        text = self.text[self.text != ord(" ")]
        buffers = [None, pa.py_buffer(offsets), pa.py_buffer(text)]
        return pa.Array.from_buffers(pa.large_string(), len(self.starts), buffers)

    @cached_property
    def _windows(self) -> NDArray[np.uint64]:
        """For each position in the text, the preceding eight bytes as one number."""
        padded = np.concatenate([np.zeros(KEY_BYTES, np.uint8), self.text])
        return windows_before(padded)
