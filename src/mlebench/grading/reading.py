"""Reading a submission: a hostile file of any size or kind becomes a table or a reason.

The bytes are judged before pandas sees them: a regular file, within the size limit, UTF-8, no NUL,
a header with unique names, every line as wide as the header. pandas alone would shift columns, cut
texts at a NUL, fetch addresses, or spend minutes on a repeated header.
"""

from __future__ import annotations

import csv
import io
import mmap
import threading
import warnings
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from mlebench.errors import InvalidSubmissionError
from mlebench.grading.csv_shape import Counts, check_shape, count_newlines, count_pieces, total
from mlebench.grading.plain_csv import read_plain
from mlebench.grading.sealed import Sealed, in_memory, sealed
from mlebench.metrics.threads import on_blocks
from mlebench.tables import read_at_once
from mlebench.tables.frames import Frame

MIB = 1 << 20
HEADER_BYTES = 64 * 1024
BOM = b"\xef\xbb\xbf"
PIECE = 16 * MIB
"""Bytes that a processor looks at at a time."""

LARGE = 4 * MIB
"""From about this size on pandas reads a file in parts."""

BLANK = b" \t\r\n" + BOM
WARNINGS = threading.Lock()
"""What becomes of warnings is decided for all threads at once, so they take turns."""


@dataclass(frozen=True)
class Limits:
    """How large an honest submission can be at most; the defaults serve when nothing is known."""

    max_bytes: int = 4096 * MIB
    max_rows: int = 200_000_000

    @classmethod
    def beside(cls, files: list[Path]) -> Limits:
        """Generous multiples of the largest file known to be a good submission, or its answers."""
        known = [file for file in files if file.is_file()]
        if not known:
            return cls()
        largest = max(known, key=lambda file: file.stat().st_size)
        return cls(4 * largest.stat().st_size + 64 * MIB, 2 * count_lines(largest) + 1000)


def count_lines(file: Path) -> int:
    """Line ends in a file: at least the number of its rows."""
    if not file.stat().st_size:
        return 0
    with (
        file.open("rb") as stream,
        mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as data,
    ):
        return count_newlines(memoryview(data))


def read_submission(path: Path, limits: Limits | None = None) -> Frame:
    """The submission as a table, typed as pandas guesses, floats exact; else a reason."""
    limits = limits or Limits()
    with sealed(path, limits.max_bytes) as file:
        return parse_sealed(file, path.name, limits)


def parse_submission(data: bytes | memoryview, name: str, limits: Limits | None = None) -> Frame:
    """The same for bytes that are in memory already."""
    return parse_sealed(Sealed(memoryview(data)), name, limits or Limits())


def parse_sealed(file: Sealed, name: str, limits: Limits) -> Frame:
    """Judge the bytes of a CSV, then read them as pandas would."""
    data = file.data
    _require_some(data, name)
    if bytes(data[: len(BOM)]) == BOM:
        file = Sealed(data := data[len(BOM) :])
    pieces = count_pieces(data)
    counts = total(pieces)
    _require_utf8(data, counts, name)
    columns = _header(data, name)
    check_shape(data, counts, name, columns=len(columns), max_rows=limits.max_rows)
    table = read_plain(data, pieces)
    return _parse(file, name) if table is None else table


def _require_some(data: memoryview, name: str) -> None:
    if not bytes(data[:HEADER_BYTES]).strip(BLANK) and not bytes(data).strip(BLANK):
        raise InvalidSubmissionError(f"{name} is empty, expected a CSV with a header line")
    if bytes(data[:2]) in (b"\xff\xfe", b"\xfe\xff"):
        raise InvalidSubmissionError(f"{name} is UTF-16 text, expected UTF-8")


def _require_utf8(data: memoryview, counts: Counts, name: str) -> None:
    if counts.has_nul:
        line = _line(data, bytes(data).index(b"\0"))
        raise InvalidSubmissionError(f"{name} holds a NUL byte in line {line}, expected UTF-8 text")
    try:
        if counts.has_high and not _is_utf8(data):
            bytes(data).decode("utf-8")
    except UnicodeDecodeError as error:
        raise InvalidSubmissionError(
            f"{name} is not UTF-8 text: byte 0x{data[error.start]:02x} in line"
            f" {_line(data, error.start)}"
        ) from None
    if bytes(data[: len(BOM)]) == BOM:
        raise InvalidSubmissionError(
            f"{name} starts with two byte-order marks, expected one at most"
        )
    if counts.has_return and not counts.all_newlines:
        raise InvalidSubmissionError(f"{name} has bare CR line ends, expected LF or CR LF")


def _is_utf8(data: memoryview) -> bool:
    """Whether bytes that are not empty are UTF-8, found faster than by decoding."""
    cuts = [_next_character(data, place) for place in range(0, len(data), PIECE)]
    edges = pairwise([*cuts, len(data)])
    return all(on_blocks(lambda edge: _is_utf8_piece(data[slice(*edge)]), edges))


def _next_character(data: memoryview, place: int) -> int:
    """Where the next character begins; after three bytes that begin none, the text is wrong."""
    starts = (k for k in range(place, min(place + 4, len(data))) if data[k] & 0xC0 != 0x80)
    return next(starts, place)


def _is_utf8_piece(data: memoryview) -> bool:
    import pyarrow as pa

    ends = pa.array([0, len(data)], type=pa.int64()).buffers()[1]
    text = pa.Array.from_buffers(pa.large_string(), 1, [None, ends, pa.py_buffer(data)])
    try:
        text.validate(full=True)
    except pa.ArrowInvalid:
        return False
    return True


def _header(data: memoryview, name: str) -> list[str]:
    """The column names; a header is bounded and its names are unique."""
    start = bytes(data[: HEADER_BYTES + 1]).lstrip(b"\r\n")
    try:
        text = start.decode("utf-8", "ignore")
        columns = next(csv.reader(io.StringIO(text, newline=""), strict=True))
    except (StopIteration, csv.Error) as error:
        raise InvalidSubmissionError(f"{name} has no readable header line: {error}") from None
    if len(start) > HEADER_BYTES and len(next(io.StringIO(text, newline=""))) >= len(text):
        raise InvalidSubmissionError(f"the header of {name} is longer than {HEADER_BYTES:,} bytes")
    seen: set[str] = set()
    for column in columns:
        if column in seen:
            raise InvalidSubmissionError(
                f"column {column[:60]!r} stands twice in the header of {name}"
            )
        seen.add(column)
    return columns


def _parse(file: Sealed, name: str) -> Frame:
    import pandas as pd

    options: Any = {"float_precision": "round_trip"} if pd.__version__ < "3" else {}
    with WARNINGS, warnings.catch_warnings():
        # Reached only when our own count of the lines disagrees with pandas'.
        warnings.simplefilter("error", pd.errors.ParserWarning)
        try:
            table = _read_at_once(file)
            if table is None:
                stream = io.BytesIO(file.data)
                table = pd.read_csv(stream, index_col=False, low_memory=False, **options)
        except (pd.errors.ParserError, pd.errors.ParserWarning) as error:
            raise InvalidSubmissionError(f"{name} is not a readable CSV: {error}") from None
    return table


def _read_at_once(file: Sealed) -> Frame | None:
    """The table on all processors, where it is large enough for that."""
    if len(file.data) < LARGE:
        return None
    if file.path:
        return read_at_once(file.path)
    with in_memory(file.data) as path:
        return read_at_once(path) if path else None


def _line(data: memoryview, position: int) -> int:
    return bytes(data[:position]).count(b"\n") + 1
