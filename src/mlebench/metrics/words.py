"""Columns of texts, as Arrow stores them or as Python's strings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

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
