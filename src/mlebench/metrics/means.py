"""Means over many rows, some rows at a time on all processors: no array of all rows is made."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from mlebench.metrics.threads import on_blocks

if TYPE_CHECKING:
    from numpy.typing import NDArray

ROWS_AT_ONCE = 1 << 15


def mean_of_rows(values: Callable[[slice], NDArray[np.float64]], rows: int) -> float:
    """The mean of what a function gives for each row, to the last bit as numpy's of all at once.

    Older numpy, before 2.4, sums in another order.
    """
    sums = on_blocks(lambda part: float(np.sum(values(part))), _parts(0, rows))
    return _sum(sums, rows) / rows if rows else float("nan")


def _half(rows: int) -> int:
    """Where numpy cuts a sum in two."""
    return rows // 2 - rows // 2 % 8


def _parts(first: int, rows: int) -> Iterator[slice]:
    if rows <= ROWS_AT_ONCE:
        yield slice(first, first + rows)
    else:
        half = _half(rows)
        yield from _parts(first, half)
        yield from _parts(first + half, rows - half)


def _sum(sums: Iterator[float], rows: int) -> float:
    if rows <= ROWS_AT_ONCE:
        return next(sums)
    half = _half(rows)
    first = _sum(sums, half)
    return first + _sum(sums, rows - half)
