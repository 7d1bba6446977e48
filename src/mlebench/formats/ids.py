"""Looking ids up in a column of ids, texts or whole numbers, as they are stored."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from mlebench.formats.columns import holds
from mlebench.metrics.threads import fill_blocks, on_blocks
from mlebench.metrics.words import COLUMN, SEED, Block, as_arrow, bytes_of, in_blocks, in_chunks
from mlebench.native import INTS, SIZE, array_of, kernel

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    Ids: TypeAlias = pd.Series[Any]
    Bytes: TypeAlias = tuple[NDArray[np.uint8], NDArray[np.int64]]
    """The bytes of all ids, and where each ends."""

TABLE = array_of(np.uint64)
ROWS_AT_ONCE = 1 << 16
MAX_ROWS = 2**32 - 2
GLIMPSE = 64

_index_ids = kernel("index_ids", SIZE, *COLUMN, SIZE, SIZE, TABLE)
_number_texts = kernel("number_texts", SIZE, *COLUMN, SIZE, INTS, INTS)
_are_same = kernel("are_same_texts", SIZE, *COLUMN, *COLUMN)
_find_ids = kernel("find_ids", SIZE, *COLUMN, *COLUMN, SIZE, SIZE, TABLE, INTS, gives=None)


def is_equal(given: Ids, wanted: Ids) -> bool:
    """Whether two columns hold the same values in the same order, compared as they are stored."""
    if given.dtype != wanted.dtype or len(given) != len(wanted):
        return False
    # For plain numbers numpy takes a fraction of the time that pandas takes to get there.
    sides: list[Any] = [
        ids.to_numpy() if ids.dtype.kind in "iuf" else ids.array for ids in (given, wanted)
    ]
    # Ids in another order mostly differ at the start.
    if not _are_equal(*(side[:GLIMPSE] for side in sides)):
        return False
    if given.dtype.kind in "iuf":
        return holds(_are_equal, *sides)
    if getattr(given.dtype, "storage", None) != "pyarrow":
        return _are_equal(*sides)
    # Gaps equal nothing.
    has_gaps = any(in_chunks(side).null_count for side in sides)
    return not has_gaps and all(on_blocks(lambda block: _are_same(*block), in_blocks(*sides)))


def _are_equal(one: Any, other: Any) -> bool:
    return bool((one == other).all())


def look_up(given: Ids, wanted: Ids) -> NDArray[np.int64]:
    """The first row of each wanted id, or −1."""
    return look_up_and_repeat(given, wanted)[0]


def look_up_and_repeat(given: Ids, wanted: Ids) -> tuple[NDArray[np.int64], int]:
    """The same, and the first row whose id stood before, or −1."""
    import pandas as pd

    known, looked_for = _bytes_of_ids(given), _bytes_of_ids(wanted)
    is_alike = given.dtype.kind == wanted.dtype.kind and len(given) <= MAX_ROWS
    if is_alike and known and looked_for:
        return _look_up(known, looked_for)
    is_first = ~given.duplicated().to_numpy()
    rows = pd.Index(given[is_first]).get_indexer(pd.Index(wanted))
    repeat = -1 if is_first.all() else int(np.argmin(is_first))
    return np.append(np.flatnonzero(is_first), -1)[rows], repeat


def _bytes_of_ids(ids: Ids) -> Bytes | None:
    """The bytes of each id, where they can be compared as such."""
    import pandas as pd

    if isinstance(ids.dtype, pd.StringDtype) and not ids.hasnans:
        return bytes_of(as_arrow(ids))
    if ids.dtype == np.int64:
        values = np.ascontiguousarray(ids.to_numpy())
        return values.view(np.uint8), np.arange(0, 8 * len(values) + 8, 8)
    return None


def _look_up(known: Bytes, wanted: Bytes) -> tuple[NDArray[np.int64], int]:
    rows, (data, ends) = len(wanted[1]) - 1, wanted
    room = 2 << max(len(known[1]), 1).bit_length()
    table = np.zeros(room, np.uint64)
    repeat = _index_ids(len(known[1]) - 1, *known, SEED, room, table)
    places = np.empty(rows, np.int64)

    def find(first: int) -> None:
        last = min(first + ROWS_AT_ONCE, rows)
        here = data, ends[first : last + 1]
        _find_ids(last - first, *here, *known, SEED, room, table, places[first:last])

    fill_blocks(find, range(0, rows, ROWS_AT_ONCE))
    return places, int(repeat)


def numbered(names: Ids) -> NDArray[np.int64]:
    """The number of each name among the different ones, by their first rows; −1 for a gap."""
    import pandas as pd
    import pyarrow as pa

    if getattr(names.dtype, "storage", None) != "pyarrow" or in_chunks(names.array).null_count:
        return pd.factorize(names)[0]
    blocks = list(in_blocks(names.array))
    edges = np.cumsum([0, *(block[0] for block in blocks)])
    numbers = np.empty(len(names), np.int64)

    def in_block(part: tuple[int, Block]) -> Any:
        first, (rows, data, ends) = part
        firsts = np.empty(rows, np.int64)
        count = _number_texts(rows, data, ends, SEED, numbers[first : first + rows], firsts)
        if count < 0:
            raise MemoryError("no memory for numbering names")
        texts = pa.LargeStringArray.from_buffers(rows, pa.py_buffer(ends), pa.py_buffer(data))
        return texts.take(pa.array(firsts[:count]))

    found = list(on_blocks(in_block, zip(edges, blocks, strict=False)))
    # What is new in one block may be known from another.
    known = pa.chunked_array(found, pa.large_string()).combine_chunks().dictionary_encode().indices
    counts = np.cumsum([0, *map(len, found)])

    def across_blocks(block: int) -> None:
        rows, places = (slice(*ends[block : block + 2]) for ends in (edges, counts))
        numbers[rows] = np.asarray(known)[places][numbers[rows]]

    fill_blocks(across_blocks, range(len(blocks)))
    return numbers
