"""Looking ids up in a column of ids, texts or whole numbers, as they are stored."""

from __future__ import annotations

from typing import Any

import numpy as np

from mlebench.metrics.threads import on_blocks
from mlebench.metrics.words import COLUMN, SEED, as_arrow, bytes_of
from mlebench.native import INTS, SIZE, array_of, kernel

TABLE = array_of(np.uint64)
ROWS_AT_ONCE = 1 << 16
MAX_ROWS = 2**32 - 2

_index_ids = kernel("index_ids", SIZE, *COLUMN, SIZE, SIZE, TABLE)
_find_ids = kernel("find_ids", SIZE, *COLUMN, *COLUMN, SIZE, SIZE, TABLE, INTS, gives=None)


def look_up(given: Any, wanted: Any) -> Any:
    """The first row of each wanted id, or −1."""
    import pandas as pd

    known, looked_for = _bytes_of_ids(given), _bytes_of_ids(wanted)
    is_alike = given.dtype.kind == wanted.dtype.kind and len(given) <= MAX_ROWS
    if is_alike and known and looked_for:
        return _look_up(known, looked_for)
    is_first = ~given.duplicated().to_numpy()
    rows = pd.Index(given[is_first]).get_indexer(pd.Index(wanted))
    return np.append(np.flatnonzero(is_first), -1)[rows]


def first_repeat(ids: Any) -> int:
    """The first row whose id stood before, or −1."""
    known = _bytes_of_ids(ids)
    if known and len(ids) <= MAX_ROWS:
        return _index(known)[1]
    is_repeat = ids.duplicated().to_numpy()
    return int(np.argmax(is_repeat)) if is_repeat.any() else -1


def _bytes_of_ids(ids: Any) -> tuple[Any, Any] | None:
    """The bytes of each id, where they can be compared as such."""
    import pandas as pd

    if isinstance(ids.dtype, pd.StringDtype) and not ids.hasnans:
        return bytes_of(as_arrow(ids))
    if ids.dtype == np.int64:
        values = np.ascontiguousarray(ids.to_numpy())
        return values.view(np.uint8), np.arange(0, 8 * len(values) + 8, 8)
    return None


def _index(known: tuple[Any, Any]) -> tuple[Any, int]:
    """A table of the ids, and the first row that repeats one."""
    table = np.zeros(2 << max(len(known[1]), 1).bit_length(), np.uint64)
    return table, int(_index_ids(len(known[1]) - 1, *known, SEED, len(table), table))


def _look_up(known: tuple[Any, Any], wanted: tuple[Any, Any]) -> Any:
    rows, (data, ends) = len(wanted[1]) - 1, wanted
    table, _ = _index(known)
    places = np.empty(rows, np.int64)

    def find(first: int) -> None:
        last = min(first + ROWS_AT_ONCE, rows)
        here = data, ends[first : last + 1]
        _find_ids(last - first, *here, *known, SEED, len(table), table, places[first:last])

    for _ in on_blocks(find, range(0, rows, ROWS_AT_ONCE)):
        pass
    return places
