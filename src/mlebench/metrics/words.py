"""Columns of texts as the kernels take them: the bytes where they lie, some rows at a time.

A loop over rows, or a Python string for each word, would cost more than reading the files does.
"""

from __future__ import annotations

import ctypes
import secrets
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from mlebench.native import BYTES, INTS, SIZE, kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from pandas.api.extensions import ExtensionArray

    Texts: TypeAlias = Sequence[str] | NDArray[np.object_] | ExtensionArray
    """A column of texts, as Python or pandas stores it."""

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
    column = in_chunks(texts)
    return column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()


def in_chunks(texts: Any) -> Any:
    """The same in chunks, as many as it is stored in."""
    import pyarrow as pa

    column = pa.array(texts, type=pa.large_string())
    return column if isinstance(column, pa.ChunkedArray) else pa.chunked_array([column])


def bytes_of(array: Any) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """The bytes that hold the texts of an Arrow array; where each begins, and the last one ends."""
    if not len(array):
        return np.zeros(0, np.uint8), np.zeros(1, np.int64)
    _, ends, data = array.buffers()
    ends = np.frombuffer(ends, np.int64)[array.offset : array.offset + len(array) + 1]
    return np.frombuffer(data or b"", np.uint8), ends


class Places(NamedTuple):
    """Where the texts of a column lie, in as many pieces of memory as it is stored in."""

    begins: NDArray[np.int64]
    """The address of each text's first byte."""

    lengths: NDArray[np.int64]
    limits: NDArray[np.int64]
    """Up to where memory may be read behind each text."""

    held: Any
    """What keeps the texts in memory."""

    @classmethod
    def of(cls, texts: Any) -> Places:
        """A sequence of texts, in which gaps are empty; pandas reads gaps alone as numbers."""
        import pyarrow as pa

        if getattr(texts, "dtype", None) == np.float64 and np.isnan(texts).all():
            texts = [""] * len(texts)
        column = pa.array(_as_texts(texts), type=pa.large_string(), from_pandas=True)
        chunks = column.chunks if isinstance(column, pa.ChunkedArray) else [column]
        begins, lengths, limits = (np.empty(len(column), dtype=np.int64) for _ in range(3))
        first = 0
        for chunk in filter(len, chunks):
            _, ends, data = chunk.buffers()
            ends = np.frombuffer(ends, np.int64, len(chunk) + 1, 8 * chunk.offset)
            rows, address = slice(first, first + len(chunk)), data.address if data else _NOWHERE
            np.add(ends[:-1], address, out=begins[rows])
            np.subtract(ends[1:], ends[:-1], out=lengths[rows])
            limits[rows] = ends[-1] + address
            if chunk.null_count:
                lengths[rows][chunk.is_null().to_numpy(zero_copy_only=False)] = 0
            first += len(chunk)
        return cls(begins, lengths, limits, [column])

    def text(self, row: int) -> bytes:
        """The bytes of a text."""
        return ctypes.string_at(int(self.begins[row]), int(self.lengths[row]))


def _as_texts(texts: Any) -> Any:
    """Whole numbers beyond 64 bits, which pandas 3 reads as objects, are texts to pandas 2."""
    if not isinstance(getattr(texts, "dtype", None), np.dtype):
        return texts
    return [str(text) if type(text) is int else text for text in texts]


_NOTHING = np.zeros(1, dtype=np.uint8)
_NOWHERE = _NOTHING.ctypes.data
"""The address of texts that are all empty."""


def in_blocks(*columns: Any) -> Iterator[Block]:
    """Columns of equal length, some rows at a time."""
    sides = [in_chunks(column) for column in columns]
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
