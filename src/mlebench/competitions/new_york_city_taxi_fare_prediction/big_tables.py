"""Splitting a table too large for memory, byte for byte as pandas would after a shuffle.

The rows pass once: each is put into the form in which pandas prints it and dealt out to one of
several drawers on disk, by its place in the new order; then drawer after drawer is sorted.
"""

from __future__ import annotations

import os
import tempfile
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, BinaryIO

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
from mlebench.tables import read_table, split_positions, split_rows, write_table

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

BLOCK_BYTES = 2 << 20
DRAWER_BYTES = 16 << 20
MAX_DRAWERS = 250
THREADS = min(4, os.cpu_count() or 1)
NEWLINE = ord("\n")
ODD_LETTERS = frozenset(b'"\r\0')
"""What takes a real CSV reader to understand."""


def split_big_table(
    source: Raw, train: Path, *, test_size: float | int, seed: int = 0
) -> pd.DataFrame:
    """Write the train part of a shuffled table and give the test part, in the order drawn."""
    try:
        with tempfile.TemporaryDirectory(dir=source.scratch, prefix="drawers-") as folder:
            return _split(source, train, Path(folder), test_size=test_size, seed=seed)
    except NotStreamable:
        train_rows, test_rows = split_rows(read_table(source), test_size=test_size, seed=seed)
        write_table(train_rows, train)
        return test_rows


@dataclass(frozen=True)
class Shape:
    """What a first look at the file tells."""

    header: bytes
    columns: list[str]
    counts: list[int]
    """Rows that end in each block."""

    @property
    def rows(self) -> int:
        return sum(self.counts)


def _split(
    source: Raw, train: Path, folder: Path, *, test_size: float | int, seed: int
) -> pd.DataFrame:
    shape = _look(source)
    train_order, test_order = split_positions(shape.rows, test_size=test_size, seed=seed)
    plan = _Plan(train_order, test_order, source.size())
    kinds = None
    while True:
        try:
            with _Drawers(folder, plan.drawers) as drawers:
                kinds = _deal_out(source, shape, plan, drawers, kinds)
            break
        except _Restart as restart:
            kinds = restart.kinds
    _write_train(train, shape, plan, folder)
    types = {"int": "int64", "float": "float64"}
    dtype = {name: types[k] for name, k in zip(shape.columns, kinds, strict=True) if k in types}
    test = folder / "test.csv"
    test.write_bytes(shape.header + _sorted_drawer(folder, 0, plan))
    return read_table(test, dtype=dtype)


def _look(source: Raw) -> Shape:
    """Count the rows, and refuse what the quick way does not understand."""
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
        # A row without its end is a block of its own.
        counts.append(1)
    return Shape(header, names, [count for count in counts if count])


class _Plan:
    """Which drawer each row goes to: the first is for the test part, the others for train."""

    def __init__(self, train: NDArray[np.int64], test: NDArray[np.int64], size: int) -> None:
        import numpy as np

        count = len(train) + len(test)
        wanted = min(MAX_DRAWERS, max(1, -(-size // DRAWER_BYTES)))
        self.rows_each = -(-len(train) // wanted)
        self.drawers = 1 + -(-len(train) // self.rows_each)
        self.train_rows = len(train)
        self.place = np.empty(count, np.uint32)
        """Of each row, within its part."""

        self.place[train] = np.arange(len(train), dtype=np.uint32)
        self.drawer_of_row = (self.place // self.rows_each + 1).astype(np.uint8)
        self.place[test] = np.arange(len(test), dtype=np.uint32)
        self.drawer_of_row[test] = 0

    def order_within(self, drawer: int) -> NDArray[np.int64]:
        """For each place in the new order, which row of the drawer belongs there."""
        import numpy as np

        # The rows lie in their drawer in the order of the file.
        places = self.place[np.flatnonzero(self.drawer_of_row == drawer)]
        order = np.empty(len(places), np.int64)
        order[places - max(0, drawer - 1) * self.rows_each] = np.arange(len(places))
        return order


class _Drawers:
    """Files for rows, and beside each one the lengths of its rows."""

    def __init__(self, folder: Path, count: int) -> None:
        self.folder, self.count = folder, count
        self.stack = ExitStack()

    def __enter__(self) -> _Drawers:
        self.texts = [self._open(f"{n}.rows") for n in range(self.count)]
        self.lengths = [self._open(f"{n}.lengths") for n in range(self.count)]
        return self

    def _open(self, name: str) -> IO[bytes]:
        return self.stack.enter_context((self.folder / name).open("wb", buffering=1 << 16))

    def __exit__(self, *error: object) -> None:
        self.stack.close()

    def put(self, rows: Any, lengths: NDArray[np.int32], counts: NDArray[np.int64]) -> None:
        """Add rows that are sorted by drawer."""
        import numpy as np

        ends = np.cumsum(lengths)
        data = memoryview(rows)
        row = start = 0
        for drawer in np.flatnonzero(counts).tolist():
            after = row + int(counts[drawer])
            end = int(ends[after - 1])
            self.texts[drawer].write(data[start:end])
            self.lengths[drawer].write(lengths[row:after].tobytes())
            row, start = after, end


class _Restart(Exception):
    def __init__(self, kinds: list[Kind]) -> None:
        super().__init__()
        self.kinds = kinds


def _deal_out(
    source: Raw, shape: Shape, plan: _Plan, drawers: _Drawers, kinds: list[Kind] | None
) -> list[Kind]:
    """Print every row and put it into its drawer; blocks are worked on side by side."""
    row = 0
    with ThreadPoolExecutor(THREADS) as pool:
        waiting: deque[Future[Any]] = deque()
        try:
            for block, count in zip(_blocks(source, len(shape.header)), shape.counts, strict=True):
                if kinds is None:
                    kinds = [guess_kind(column) for column in parse(block, shape.columns)]
                targets = plan.drawer_of_row[row : row + count]
                row += count
                waiting.append(pool.submit(_print_block, block, shape, kinds, targets))
                if len(waiting) > THREADS:
                    drawers.put(*waiting.popleft().result())
            while waiting:
                drawers.put(*waiting.popleft().result())
        except Widened as widened:
            better: list[Kind] = list(kinds or [])
            better[widened.column] = "float"
            raise _Restart(better) from None
        finally:
            for future in waiting:
                future.cancel()
    return kinds or []


def _blocks(source: Raw, start: int) -> Iterator[memoryview]:
    """Whole rows, some megabytes at a time."""
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
    """Read until the target is full or the file ends; gives how much came."""
    done = 0
    while done < len(target) and (count := stream.readinto(target[done:])):  # type: ignore[attr-defined]
        done += count
    return done


def _print_block(
    block: memoryview, shape: Shape, kinds: list[Kind], targets: NDArray[np.uint8]
) -> tuple[Any, NDArray[np.int32], NDArray[np.int64]]:
    """The rows of a block as pandas prints them, sorted by drawer, with lengths and counts."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    texts = printed_columns(block, shape.columns, kinds)
    if len(texts[0]) != len(targets):
        # Blank lines, which pandas leaves out.
        raise NotStreamable
    texts[-1] = pc.binary_join_element_wise(texts[-1], "", "\n")
    rows = pc.binary_join_element_wise(*texts, ",")
    rows = rows.take(pa.array(np.argsort(targets, kind="stable")))
    offsets = np.frombuffer(rows.buffers()[1], np.int32)[: len(rows) + 1]
    counts = np.bincount(targets, minlength=256)
    return rows.buffers()[2], np.diff(offsets), counts


def _sorted_drawer(folder: Path, drawer: int, plan: _Plan) -> Any:
    """The rows of a drawer in the new order; the drawer is emptied."""
    import numpy as np
    import pyarrow as pa

    order = plan.order_within(drawer)
    text, lengths = folder / f"{drawer}.rows", folder / f"{drawer}.lengths"
    offsets = np.zeros(len(order) + 1, np.int64)
    np.cumsum(np.fromfile(lengths, np.int32), out=offsets[1:])
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(text.read_bytes())]
    rows = pa.Array.from_buffers(pa.large_binary(), len(order), buffers)
    text.unlink()
    return rows.take(pa.array(order)).buffers()[2]


def _write_train(train: Path, shape: Shape, plan: _Plan, folder: Path) -> None:
    def sorted_rows(drawer: int) -> Any:
        return _sorted_drawer(folder, drawer, plan)

    with open_output(train) as stream, ThreadPoolExecutor(THREADS) as pool:
        stream.write(shape.header)
        waiting: deque[Future[Any]] = deque()
        for drawer in range(1, plan.drawers + 1):
            if drawer < plan.drawers:
                waiting.append(pool.submit(sorted_rows, drawer))
            while waiting and (len(waiting) >= THREADS or drawer == plan.drawers):
                stream.write(waiting.popleft().result())
    if log := log_of(train):
        log.rows[str(train)] = plan.train_rows
