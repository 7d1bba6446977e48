"""Columns of texts: as Arrow stores them, as Python's strings, as addresses for kernels."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from pandas.api.extensions import ExtensionArray

    Texts: TypeAlias = Sequence[str] | NDArray[np.object_] | ExtensionArray
    """A column of texts, as Python or pandas stores it."""


def as_arrow(texts: Any) -> Any:
    """An Arrow array of any sequence of texts."""
    column = in_chunks(texts)
    return column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()


def in_chunks(texts: Any) -> Any:
    """The same in chunks, as many as it is stored in."""
    import pyarrow as pa

    column = pa.array(texts, type=pa.large_string())
    return column if isinstance(column, pa.ChunkedArray) else pa.chunked_array([column])


def python_texts(texts: Texts) -> list[str]:
    """The same as Python's strings."""
    if isinstance(texts, list | tuple | np.ndarray):
        return list(texts)
    found: list[str] = in_chunks(texts).to_pylist()
    return found


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
