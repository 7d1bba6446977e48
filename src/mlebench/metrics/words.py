"""Columns of texts as the kernels take them: the bytes where they lie, some rows at a time.

A loop over rows, or a Python string for each word, would cost more than reading the files does.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from mlebench.native import BYTES, INTS, SIZE, kernel

BLOCK = 4 << 20
"""Bytes of text taken at a time: enough to be worth a call, few enough to keep all threads busy."""

SEED = secrets.randbits(63)
"""Decides where words stand in the kernels' tables: nobody can choose words that collide there."""

COLUMN = (BYTES, INTS)
"""What a kernel learns of a column: its bytes; where each text begins, and the last one ends."""

Block = tuple[Any, ...]
"""The number of some rows, then bytes and ends of each column."""


def as_arrow(texts: Any) -> Any:
    """An Arrow array of any sequence of texts."""
    column = _column(texts)
    return column.combine_chunks() if hasattr(column, "combine_chunks") else column


def _column(texts: Any) -> Any:
    """The texts as Arrow stores them, maybe in several chunks."""
    import pyarrow as pa

    return pa.array(texts, type=pa.large_string())


def bytes_of(array: Any) -> tuple[Any, Any]:
    """The bytes that hold the texts of an Arrow array; where each begins, and the last one ends."""
    if not len(array):
        return np.zeros(0, np.uint8), np.zeros(1, np.int64)
    _, ends, data = array.buffers()
    ends = np.frombuffer(ends, np.int64)[array.offset : array.offset + len(array) + 1]
    return np.frombuffer(data or b"", np.uint8), ends


def in_blocks(*columns: Any) -> Iterator[Block]:
    """Columns of equal length, some rows at a time."""
    import pyarrow as pa

    sides = [pa.chunked_array(_column(column)) for column in columns]
    rows = len(sides[0])
    step = max(rows * BLOCK // max(sum(side.nbytes for side in sides), 1), 1)
    # Where a chunk of any column ends a block does, so that nothing must be copied together.
    chunk_ends = (np.cumsum([len(chunk) for chunk in side.chunks]).tolist() for side in sides)
    edges = sorted({*range(0, rows, step), rows}.union(*chunk_ends))
    for start, stop in pairwise(edges):
        block: Block = (stop - start,)
        for side in sides:
            (chunk,) = (part for part in side.slice(start, stop - start).chunks if len(part))
            block += bytes_of(chunk)
        yield block


def kernel_on_pairs(name: str, *arguments: Any) -> Callable[..., int]:
    """A kernel that looks words of two columns up: called with a block and further arguments."""
    run = kernel(name, SIZE, *COLUMN, *COLUMN, SIZE, *arguments)

    def on_block(block: Block, *values: Any) -> int:
        found = int(run(*block, SEED, *values))
        if found < 0:
            raise MemoryError(f"no memory for {name.replace('_', ' ')}")
        return found

    return on_block


BLANK = ord(" ")
LANE = 8
LOW_BYTES = np.array([(1 << 8 * n) - 1 for n in range(LANE + 1)], dtype=np.uint64)
LONG_WORD = 64
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

    def texts(self) -> Any:
        """The words as an Arrow array."""
        import pyarrow as pa

        ends = np.concatenate([[0], np.cumsum(self.length)])
        places = np.arange(ends[-1]) + np.repeat(self.begin - ends[:-1], self.length)
        buffers = [None, pa.py_buffer(ends), pa.py_buffer(self.data[places])]
        return pa.Array.from_buffers(pa.large_string(), len(self.length), buffers)


def split_at_blanks(texts: Any) -> Words:
    """Pieces between single blanks, as `str.split(" ")` finds them; some may be empty."""
    data, ends = _lines(as_arrow(texts))
    return _split(data, ends, data == BLANK)


def _lines(array: Any) -> tuple[Any, Any]:
    """The bytes of all texts with a blank behind each, and where each begins."""
    import pyarrow as pa
    import pyarrow.compute as pc

    nothing, blank = (pa.scalar(text, pa.large_string()) for text in ("", " "))
    data, ends = bytes_of(pc.binary_join_element_wise(array, nothing, blank))
    return data[: ends[-1]], ends


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
