"""Columns of numbers, processed in parallel, some rows at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from mlebench.system.threads import fill_blocks, on_blocks

if TYPE_CHECKING:
    from numpy.typing import NDArray

ROWS_AT_ONCE = 1 << 16
FEW_CELLS = 1 << 18
"""This many cells are checked in less time than a thread takes to start."""


def as_matrix(columns: Sequence[NDArray[Any]], dtype: np.dtype[Any]) -> NDArray[Any]:
    """A matrix, stored column by column; a single column of the wanted type is not copied."""
    if len(columns) == 1 and columns[0].dtype == dtype:
        return columns[0][:, np.newaxis]
    if len(columns[0]) <= ROWS_AT_ONCE:
        return np.array(columns, dtype).T
    matrix = np.empty((len(columns), len(columns[0])), dtype)

    def fill(part: tuple[int, slice]) -> None:
        column, rows = part
        matrix[column, rows] = columns[column][rows]

    fill_blocks(fill, product(range(len(columns)), _blocks(matrix.shape[1])))
    return matrix.T


def some_rows(matrix: NDArray[Any], rows: NDArray[np.int64]) -> NDArray[Any]:
    """A matrix of the rows with these numbers, again column by column."""
    found = np.empty((matrix.shape[1], len(rows)), matrix.dtype)

    def fill(column: int) -> None:
        # Without the mode numpy would write into an array of its own first.
        np.take(matrix[:, column], rows, out=found[column], mode="clip")

    fill_blocks(fill, range(len(found)))
    return found.T


def holds(check: Callable[..., Any], *arrays: NDArray[Any]) -> bool:
    """Whether a check holds for all rows of arrays that are equally long."""
    if arrays[0].size <= FEW_CELLS:
        return not len(arrays[0]) or bool(check(*arrays))
    blocks = _blocks(len(arrays[0]))
    return all(on_blocks(lambda rows: bool(check(*(array[rows] for array in arrays))), blocks))


def _blocks(rows: int) -> list[slice]:
    return [slice(first, first + ROWS_AT_ONCE) for first in range(0, rows, ROWS_AT_ONCE)]
