"""Reorders the rows of a table that is too large for memory, on disk."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray


PLACE = "place in the new order"


def reordered(
    pieces: Iterable[pd.DataFrame],
    order: Sequence[int],
    scratch: Path | None,
    *,
    rows: int = 200_000,
) -> Iterator[pd.DataFrame]:
    """The rows of all pieces, counted from 0, in the given order; again in pieces.

    Rows are first distributed to buckets on disk, one for every range of the new order; then each
    bucket is sorted.
    """
    import numpy as np

    place = np.empty(len(order), dtype=np.int64)
    place[np.asarray(order)] = np.arange(len(order))
    with tempfile.TemporaryDirectory(dir=scratch, prefix="buckets-") as folder:
        buckets = [Path(folder) / str(k) for k in range(-(-len(order) // rows))]
        _distribute(pieces, place, buckets, rows)
        for bucket in buckets:
            yield _sorted_content(bucket)


def _distribute(
    pieces: Iterable[pd.DataFrame], place: NDArray[np.int64], buckets: list[Path], rows: int
) -> None:
    import numpy as np
    import pyarrow as pa

    with ExitStack() as stack:
        writers: list[Any] = []
        start = 0
        for piece in pieces:
            table = pa.Table.from_pandas(piece, preserve_index=False)
            at = place[start : start + len(piece)]
            start += len(piece)
            table = table.append_column(PLACE, pa.array(at))
            writers = writers or [
                stack.enter_context(pa.ipc.new_file(bucket, table.schema)) for bucket in buckets
            ]
            for number in np.unique(at // rows):
                writers[number].write_table(table.filter(at // rows == number))


def _sorted_content(bucket: Path) -> pd.DataFrame:
    import pyarrow as pa

    with pa.ipc.open_file(bucket) as content:
        table = content.read_all().sort_by(PLACE)
    bucket.unlink()
    rows: pd.DataFrame = table.drop_columns([PLACE]).to_pandas()
    return rows
