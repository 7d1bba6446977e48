"""Splitting a table too large for memory, byte for byte as pandas would after a shuffle.

One pass formats each row as pandas prints it and appends it to one of several bucket files, by
its position in the new order; then each bucket is sorted.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, TypeAlias

from mlebench.archives.raw import Raw
from mlebench.archives.write_log import log_of
from mlebench.archives.writing import open_output
from mlebench.competitions.new_york_city_taxi_fare_prediction.canonical import (
    Kind,
    NotStreamable,
    Widened,
    guess_kind,
    parse,
    printed_columns,
)
from mlebench.system.threads import on_blocks
from mlebench.tables import read_table, write_table

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

Draw: TypeAlias = "Callable[[int], tuple[NDArray[np.int64], NDArray[np.int64]]]"
"""Row numbers of train and test, given the number of rows."""

BLOCK_BYTES = 2 << 20
BUCKET_BYTES = 16 << 20
MAX_BUCKETS = 250
THREADS = min(4, os.cpu_count() or 1)
NEWLINE = ord("\n")
ODD_LETTERS = frozenset(b'"\r\0')
"""Characters that need a full CSV parser."""


def split_big_table(source: Raw, train: Path, draw: Draw) -> pd.DataFrame:
    """Write the train part of a shuffled table and return the test part, in the order drawn."""
    try:
        with tempfile.TemporaryDirectory(dir=source.scratch, prefix="buckets-") as folder:
            return _split(source, train, Path(folder), draw)
    except NotStreamable:
        rows = read_table(source)
        train_order, test_order = draw(len(rows))
        write_table(rows.iloc[train_order], train)
        return rows.iloc[test_order]


@dataclass(frozen=True)
class Shape:
    """Facts from a first pass over the file."""

    header: bytes
    columns: list[str]
    counts: list[int]
    """Rows that end in each block."""

    @property
    def rows(self) -> int:
        return sum(self.counts)


def _split(source: Raw, train: Path, folder: Path, draw: Draw) -> pd.DataFrame:
    shape = _look(source)
    train_order, test_order = draw(shape.rows)
    plan = _Plan(train_order, test_order, source.size())
    first_block = next(_blocks(source, len(shape.header)))
    kinds = [guess_kind(column) for column in parse(first_block, shape.columns)]
    while True:
        try:
            _distribute(source, shape, plan, folder, kinds)
            break
        except Widened as widened:
            kinds[widened.column] = "float"
    _write_train(train, shape, plan, folder)
    types = {"int": "int64", "float": "float64"}
    dtype = {name: types[k] for name, k in zip(shape.columns, kinds, strict=True) if k in types}
    test = folder / "test.csv"
    test.write_bytes(shape.header + _sorted_bucket(folder, plan, 0))
    return read_table(test, dtype=dtype)


def _look(source: Raw) -> Shape:
    """Count the rows; raises NotStreamable if the file needs a full CSV parser."""
    import numpy as np

    counts, last, block = [], NEWLINE, bytearray(BLOCK_BYTES)
    letters = np.frombuffer(block, np.uint8)
    with source.open() as stream, memoryview(block) as view:
        header = stream.readline(1 << 20)
        names = header.decode("utf-8", "replace").rstrip("\n").split(",")
        if header[:1] in (b"\xef", b"\n", b"") or len(set(names)) < len(names) or "" in names:
            raise NotStreamable
        if ODD_LETTERS.intersection(header):
            raise NotStreamable
        while size := _fill(stream, view):
            if any(block.find(letter, 0, size) >= 0 for letter in ODD_LETTERS):
                raise NotStreamable
            counts.append(int(np.count_nonzero(letters[:size] == NEWLINE)))
            last = block[size - 1]
    if last != NEWLINE:
        # A last row without newline is a separate block.
        counts.append(1)
    return Shape(header, names, [count for count in counts if count])


class _Plan:
    """Which bucket each row belongs to: the first is for the test part, the others for train."""

    def __init__(self, train: NDArray[np.int64], test: NDArray[np.int64], size: int) -> None:
        import numpy as np

        count = len(train) + len(test)
        wanted = min(MAX_BUCKETS, max(1, -(-size // BUCKET_BYTES)))
        self.rows_each = -(-len(train) // wanted)
        self.buckets = 1 + -(-len(train) // self.rows_each)
        self.train_rows = len(train)
        self.place = np.empty(count, np.uint32)
        """The position of each row within its part."""

        self.place[train] = np.arange(len(train), dtype=np.uint32)
        self.bucket_of_row = (self.place // self.rows_each + 1).astype(np.uint8)
        self.place[test] = np.arange(len(test), dtype=np.uint32)
        self.bucket_of_row[test] = 0

    def order_within(self, bucket: int) -> NDArray[np.int64]:
        """For each position in the new order, the row of the bucket that belongs there."""
        import numpy as np

        # The rows of a bucket are in the order of the file.
        places = self.place[np.flatnonzero(self.bucket_of_row == bucket)]
        order = np.empty(len(places), np.int64)
        order[places - max(0, bucket - 1) * self.rows_each] = np.arange(len(places))
        return order


class _Buckets:
    """Files for rows, each with a second file for the lengths of the rows."""

    def __init__(self, folder: Path, count: int, stack: ExitStack) -> None:
        self.texts, self.lengths = (
            [
                stack.enter_context((folder / f"{n}.{suffix}").open("wb", buffering=1 << 16))
                for n in range(count)
            ]
            for suffix in ("rows", "lengths")
        )

    def put(self, rows: Any, lengths: NDArray[np.int32], counts: NDArray[np.int64]) -> None:
        """Add rows that are sorted by bucket."""
        import numpy as np

        ends = np.cumsum(lengths)
        data = memoryview(rows)
        row = start = 0
        for bucket in np.flatnonzero(counts).tolist():
            after = row + int(counts[bucket])
            end = int(ends[after - 1])
            self.texts[bucket].write(data[start:end])
            self.lengths[bucket].write(lengths[row:after].tobytes())
            row, start = after, end


def _distribute(source: Raw, shape: Shape, plan: _Plan, folder: Path, kinds: list[Kind]) -> None:
    """Format every row and append it to its bucket; blocks are processed in parallel."""

    def parts() -> Iterator[tuple[memoryview, NDArray[np.uint8]]]:
        row = 0
        for block, count in zip(_blocks(source, len(shape.header)), shape.counts, strict=True):
            yield block, plan.bucket_of_row[row : row + count]
            row += count

    with ExitStack() as stack:
        buckets = _Buckets(folder, plan.buckets, stack)
        for printed in on_blocks(lambda part: _print_block(*part, shape, kinds), parts(), THREADS):
            buckets.put(*printed)


def _blocks(source: Raw, start: int) -> Iterator[memoryview]:
    """Complete rows, some megabytes at a time."""
    with source.open() as stream:
        stream.read(start)
        rest = b""
        while True:
            block = bytearray(len(rest) + BLOCK_BYTES)
            block[: len(rest)] = rest
            end = len(rest) + _fill(stream, memoryview(block)[len(rest) :])
            cut = block.rfind(b"\n", 0, end) + 1
            if end < len(block):
                break
            if cut:
                yield memoryview(block)[:cut]
            rest = bytes(memoryview(block)[cut:end])
        if cut:
            yield memoryview(block)[:cut]
        if end > cut:
            yield memoryview(block)[cut:end]


def _fill(stream: BinaryIO, target: memoryview) -> int:
    """Read until the target is full or the file ends; returns the number of bytes."""
    done = 0
    # `BinaryIO` does not declare readinto, but every stream of raw data has it.
    while done < len(target) and (count := stream.readinto(target[done:])):  # type: ignore[attr-defined]
        done += count
    return done


def _print_block(
    block: memoryview, targets: NDArray[np.uint8], shape: Shape, kinds: list[Kind]
) -> tuple[Any, NDArray[np.int32], NDArray[np.int64]]:
    """The rows of a block as pandas prints them, sorted by bucket, with lengths and counts."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    texts = printed_columns(block, shape.columns, kinds)
    if len(texts[0]) != len(targets):
        # There are blank lines, which pandas skips.
        raise NotStreamable
    texts[-1] = pc.binary_join_element_wise(texts[-1], "", "\n")
    rows = pc.binary_join_element_wise(*texts, ",")
    rows = rows.take(pa.array(np.argsort(targets, kind="stable")))
    offsets = np.frombuffer(rows.buffers()[1], np.int32)[: len(rows) + 1]
    counts = np.bincount(targets, minlength=256)
    return rows.buffers()[2], np.diff(offsets), counts


def _sorted_bucket(folder: Path, plan: _Plan, bucket: int) -> Any:
    """The rows of a bucket in the new order; the bucket is deleted."""
    import numpy as np
    import pyarrow as pa

    order = plan.order_within(bucket)
    text, lengths = folder / f"{bucket}.rows", folder / f"{bucket}.lengths"
    offsets = np.zeros(len(order) + 1, np.int64)
    np.cumsum(np.fromfile(lengths, np.int32), out=offsets[1:])
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(text.read_bytes())]
    rows = pa.Array.from_buffers(pa.large_binary(), len(order), buffers)
    text.unlink()
    return rows.take(pa.array(order)).buffers()[2]


def _write_train(train: Path, shape: Shape, plan: _Plan, folder: Path) -> None:
    with open_output(train) as stream:
        stream.write(shape.header)
        # Two threads: each holds two buckets, and writing takes longer than sorting.
        for rows in on_blocks(partial(_sorted_bucket, folder, plan), range(1, plan.buckets), 2):
            stream.write(rows)
    if log := log_of(train):
        log.rows[str(train)] = plan.train_rows
