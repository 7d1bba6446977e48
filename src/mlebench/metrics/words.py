"""Texts taken apart into words, one list of words a row, on the bytes of a whole column at once.

A loop over rows, or a Python string for each word, would cost more than reading the files does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

BLANK = ord(" ")
WHITE_SPACE = np.zeros(256, dtype=bool)
WHITE_SPACE[[*range(9, 14), *range(28, 33)]] = True
"""What Python takes for white space among the ASCII characters."""

LANE = 8
LOW_BYTES = np.array([(1 << 8 * n) - 1 for n in range(LANE + 1)], dtype=np.uint64)
LONG_WORD = 64
BLOCK = 4 << 20
"""Bytes of text taken at a time, so that all about them stays in the processor's caches."""

MIXERS = np.array([0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93], dtype=np.uint64)


@dataclass(frozen=True)
class Words:
    """The words of many rows, one after another."""

    data: Any
    """The bytes they are cut from."""

    begin: Any
    """The first byte of each word."""

    length: Any
    starts: Any
    """Which word is the first of each row; behind them the number of words."""

    @property
    def counts(self) -> Any:
        return np.diff(self.starts)

    @property
    def rows(self) -> Any:
        """The row of each word."""
        return np.repeat(np.arange(len(self.starts) - 1), self.counts)

    @cached_property
    def keys(self) -> Any:
        """A number for each word, the same for equal words.

        Words of up to eight bytes are their own number; of longer ones two may share it by an
        accident that nobody will live to see.
        """
        return _keys(self)

    def only(self, kept: Any, starts: Any) -> Words:
        """Some of the words, with the new numbers of the first word of each row."""
        return Words(self.data, self.begin[kept], self.length[kept], starts)

    def texts(self) -> Any:
        """The words as an Arrow array."""
        import pyarrow as pa

        ends = np.concatenate([[0], np.cumsum(self.length)])
        places = np.arange(ends[-1]) + np.repeat(self.begin - ends[:-1], self.length)
        buffers = [None, pa.py_buffer(ends), pa.py_buffer(self.data[places])]
        return pa.Array.from_buffers(pa.large_string(), len(self.length), buffers)

    def matrix(self, rows: Any, width: int) -> Any:
        """The keys of some rows that have words, each row filled up with its first word."""
        first, counts = self.starts[rows, None], self.counts[rows, None]
        place = np.arange(width)
        if counts.min() < width:
            place = np.where(place < counts, place, 0)
        return np.take(self.keys, first + place)


def as_arrow(texts: Any) -> Any:
    """An Arrow array of any sequence of texts."""
    return _whole(_column(texts))


def _column(texts: Any) -> Any:
    """The texts as Arrow stores them, maybe in several chunks."""
    import pyarrow as pa

    return pa.array(texts, type=pa.large_string())


def _whole(array: Any) -> Any:
    return array.combine_chunks() if hasattr(array, "combine_chunks") else array


def in_blocks(true: Any, predicted: Any) -> Iterator[tuple[Any, Any]]:
    """Both columns as Arrow arrays, some rows at a time."""
    sides = _column(true), _column(predicted)
    step = max(len(sides[0]) * BLOCK // max(sum(side.nbytes for side in sides), 1), 1)
    for start in range(0, len(sides[0]), step):
        first, second = (_whole(side.slice(start, step)) for side in sides)
        yield first, second


def split_at_blanks(texts: Any) -> Words:
    """Pieces between single blanks, as `str.split(" ")` finds them; some may be empty."""
    data, ends = _lines(as_arrow(texts))
    return _split(data, ends, data == BLANK)


def split_words(texts: Any) -> Words:
    """Words between white space of any kind and length, as `str.split()` finds them."""
    import pyarrow.compute as pc

    array = as_arrow(texts)
    data, ends = _lines(array)
    if data.max(initial=0) < 128:
        is_space = data == BLANK
        if np.count_nonzero(data <= BLANK) > np.count_nonzero(is_space):
            is_space = WHITE_SPACE[data]
        words = _split(data, ends, is_space)
    else:
        lists = pc.utf8_split_whitespace(array)
        data, ends = bytes_of(lists.values)
        words = Words(data, ends[:-1], np.diff(ends), lists.offsets.to_numpy())
    is_word = words.length > 0
    if is_word.all():
        return words
    return words.only(is_word, np.concatenate([[0], np.cumsum(is_word)])[words.starts])


def number_words(true: Words, predicted: Words) -> tuple[Any, Any]:
    """Each word as a small number, the same on both sides; those of the truth come first."""
    import pandas as pd

    numbers, _ = pd.factorize(np.concatenate([true.keys, predicted.keys]))
    return numbers[: len(true.keys)], numbers[len(true.keys) :]


def alike_in_length(*counts: Any, cells: int = 4_000_000) -> Iterator[Any]:
    """Row numbers in blocks of rows that have about the same counts, and not too many of them."""
    shape = np.zeros(len(counts[0]), dtype=np.int64)
    for count in counts:
        # Up to 15 exactly, then to four binary digits.
        step = np.maximum(np.frexp(count)[1] - 4, 0)
        shape = shape * (2 * int(count.max(initial=0)) + 1) + (-(-count >> step) << step)
    if shape.max(initial=0) < 1 << 16:
        # Short numbers are sorted in no time.
        shape = shape.astype(np.uint16)
    order = np.argsort(shape, kind="stable")
    edges = np.flatnonzero(np.diff(shape[order].astype(np.int64), prepend=-1))
    for start, stop in pairwise([*edges, len(order)]):
        widest = max(int(count[order[start:stop]].max()) for count in counts)
        at_once = max(cells // max(widest, 1), 1)
        for first in range(start, stop, at_once):
            yield order[first : min(first + at_once, stop)]


def _lines(array: Any) -> tuple[Any, Any]:
    """The bytes of all texts with a blank behind each, and where each begins."""
    import pyarrow as pa
    import pyarrow.compute as pc

    nothing, blank = (pa.scalar(text, pa.large_string()) for text in ("", " "))
    return bytes_of(pc.binary_join_element_wise(array, nothing, blank))


def bytes_of(array: Any) -> tuple[Any, Any]:
    """The bytes of an Arrow array of texts; where each text begins, and the last one ends."""
    if not len(array):
        return np.zeros(0, np.uint8), np.zeros(1, np.int64)
    _, ends, data = array.buffers()
    ends = np.frombuffer(ends, np.int64)[array.offset : array.offset + len(array) + 1]
    data = np.frombuffer(data or b"", np.uint8)[ends[0] : ends[-1]]
    return data, ends - ends[0]


def _split(data: Any, ends: Any, is_separator: Any) -> Words:
    """Cut the bytes at every separator; there is one at the end of each row."""
    separators = np.flatnonzero(is_separator)
    begin = np.zeros_like(separators)
    begin[1:] = separators[:-1] + 1
    is_row_end = np.zeros(len(data), dtype=bool)
    is_row_end[ends[1:] - 1] = True
    starts = np.zeros_like(ends)
    starts[1:] = np.flatnonzero(is_row_end[separators]) + 1
    return Words(data, begin, separators - begin, starts)


def _keys(words: Words) -> Any:
    padded = np.zeros(len(words.data) + LANE, dtype=np.uint8)
    padded[: len(words.data)] = words.data
    lanes = np.ndarray(len(words.data) + 1, "<u8", padded, strides=(1,))
    begin, length = words.begin, words.length
    keys = np.take(lanes, begin)
    keys &= np.take(LOW_BYTES, np.minimum(length, LANE))
    long = np.flatnonzero(length > LANE)
    for at in range(LANE, LONG_WORD, LANE):
        lane = np.take(lanes, begin[long] + at)
        lane &= np.take(LOW_BYTES, np.minimum(length[long] - at, LANE))
        mixed = keys[long] * MIXERS[0]
        keys[long] = (mixed ^ (mixed >> np.uint64(29)) ^ lane) * MIXERS[1] + np.uint64(at)
        long = long[length[long] > at + LANE]
    for word in long:
        text = words.data[begin[word] : begin[word] + length[word]].tobytes()
        keys[word] = hash(text) & 0xFFFFFFFFFFFFFFFF
    return keys
