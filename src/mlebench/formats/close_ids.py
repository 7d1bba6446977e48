"""Ids that are whole numbers and lie close together: placed in a table, faster than looked up."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from mlebench.native import BYTES, INTS, SIZE, array_of, kernel

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    Ids: TypeAlias = pd.Series[Any]

SPARSEST = 8
"""Numbers lie close together if at least every eighth of a range is there."""

MAX_ROWS = 2**32 - 2

_place_ids = kernel("place_ids", SIZE, INTS, INTS, SIZE, SIZE, array_of(np.uint32), INTS)
_find_strangers = kernel("find_strangers", SIZE, INTS, SIZE, INTS, SIZE, SIZE, BYTES, INTS)


class Match(IntEnum):
    """How two columns of equally many ids go together."""

    PLACED = 0
    DIFFERENT = 1
    UNKNOWN = 2
    """Ids repeat, or are of another kind."""


def place(given: Ids, wanted: Ids) -> tuple[Match, NDArray[np.int64]]:
    """Whether both hold the same ids, each once, and then the row of each wanted one."""
    space = _space(wanted)
    is_known = given.dtype == np.int64 and len(given) == len(wanted) <= MAX_ROWS
    if not space or not is_known:
        return Match.UNKNOWN, np.empty(0, np.int64)
    low, room = space
    order, table = np.empty(len(wanted), np.int64), np.zeros(room, np.uint32)
    found = _place_ids(len(wanted), _numbers(given), _numbers(wanted), low, room, table, order)
    return Match(found), order


def strange_rows(ids: Ids, known: Ids) -> NDArray[np.int64] | None:
    """The rows of the ids that are not among the known ones; nothing for ids of another kind."""
    space = _space(known) or _space(ids)
    if not space or ids.dtype != known.dtype:
        return None
    low, room = space
    rows, table = np.empty(len(ids), np.int64), np.zeros(room, np.uint8)
    sides = len(ids), _numbers(ids), len(known), _numbers(known)
    return rows[: _find_strangers(*sides, low, room, table, rows)]


def _space(ids: Ids) -> tuple[int, int] | None:
    """The least of numbers that lie close together, and how many there are to the greatest."""
    if ids.dtype != np.int64 or not len(ids):
        return None
    numbers = ids.to_numpy()
    low, high = int(numbers.min()), int(numbers.max())
    return (low, high - low + 1) if high - low <= SPARSEST * len(ids) else None


def _numbers(ids: Ids) -> NDArray[np.int64]:
    return np.ascontiguousarray(ids.to_numpy())
