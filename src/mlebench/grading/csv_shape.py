"""The shape of a CSV, counted on its bytes: every line must have as many fields as the header.

A field ends at a comma or line end outside quotes, so one look at the positions of three characters
tells the width of every line without parsing it.
"""

from __future__ import annotations

import csv
import io
import sys
from dataclasses import astuple, dataclass, fields, replace
from typing import Any

import numpy as np

from mlebench.errors import InvalidSubmissionError
from mlebench.metrics.threads import on_blocks
from mlebench.native import BYTES, INTS, SIZE, kernel

BLOCK = 32 << 20
PIECE = 8 << 20
"""Bytes that a processor counts, or reads, at a time."""

QUOTE, COMMA, NEWLINE = ord('"'), ord(","), ord("\n")

_csv_shape = kernel("csv_shape", BYTES, SIZE, SIZE, INTS, gives=None)
_count_newlines = kernel("count_newlines", BYTES, SIZE)
_line_end = kernel("line_end", BYTES, SIZE, SIZE, SIZE)


@dataclass(frozen=True)
class Counts:
    """What stands in some bytes of a CSV; of what it has there is more than nothing."""

    newlines: int
    """Outside quotes, as are the commas."""

    commas: int
    quotes: int
    has_stray: int
    """Quotes that open inside a field: what follows then depends on the reader."""

    has_stray_if_open: int
    all_newlines: int
    all_commas: int
    has_nul: int
    has_return: int
    has_high: int

    def opened(self) -> Counts:
        """The same if the bytes begin inside quotes: what was inside is outside then."""
        return replace(
            self,
            newlines=self.all_newlines - self.newlines,
            commas=self.all_commas - self.commas,
            has_stray=self.has_stray_if_open,
            has_stray_if_open=self.has_stray,
        )


def count_signs(data: memoryview) -> Counts:
    """One walk through all bytes."""
    return total(count_pieces(data))


def total(pieces: list[Counts]) -> Counts:
    """What all pieces hold together."""
    return Counts(*(sum(column) for column in zip(*map(astuple, pieces), strict=True)))


def count_pieces(data: Any) -> list[Counts]:
    """The same for each piece of the bytes, on all processors."""
    raw = np.frombuffer(data, dtype=np.uint8)

    def count(start: int) -> Counts:
        counts = np.empty(len(fields(Counts)), dtype=np.int64)
        _csv_shape(raw, start, min(start + PIECE, len(raw)), counts)
        return Counts(*counts.tolist())

    pieces: list[Counts] = []
    quotes = 0
    for piece in on_blocks(count, range(0, max(len(raw), 1), PIECE)):
        pieces.append(piece.opened() if quotes % 2 else piece)
        quotes += piece.quotes
    return pieces


def count_newlines(data: memoryview) -> int:
    """All line ends, in quotes or not."""
    raw = np.frombuffer(data, dtype=np.uint8)
    pieces = (raw[start : start + PIECE] for start in range(0, len(raw), PIECE))
    return sum(on_blocks(lambda piece: int(_count_newlines(piece, len(piece))), pieces))


def line_end(raw: Any, place: int, *, is_open: bool) -> int:
    """Behind the first line end from a place on, where quotes may be open."""
    return int(_line_end(raw, place, len(raw), int(is_open)))


def check_shape(
    data: memoryview, counts: Counts, name: str, *, columns: int, max_rows: int
) -> None:
    """Refuse ragged lines, open quotes and too many rows."""
    lines = counts.newlines + (data[-1] != NEWLINE)
    is_plain = not counts.has_stray and counts.quotes % 2 == 0
    if is_plain and counts.commas == lines * (columns - 1) and lines <= max_rows:
        # One line too long would need another too short to hide, and pandas refuses the long one.
        return
    if counts.has_stray:
        widths, starts = _widths_by_reader(data, name)
    else:
        widths, starts = _widths_by_position(data, name)
    wrong = widths != columns
    if wrong.any():
        for k in np.flatnonzero(wrong)[:1000]:
            if _is_blank(data, starts, int(k)):
                wrong[k] = False
                continue
            raise InvalidSubmissionError(
                f"line {int(k) + 1} of {name} has {int(widths[k])} fields, expected {columns}"
            )
        if wrong.any():
            raise InvalidSubmissionError(f"{name} has thousands of blank lines")
    rows = len(widths) - 1
    if rows > max_rows:
        raise InvalidSubmissionError(
            f"{name} has {rows:,} rows, more than the {max_rows:,} that a submission may have"
        )


def _widths_by_position(data: memoryview, name: str) -> tuple[Any, Any]:
    """Fields and first byte of each line."""
    raw = np.frombuffer(data, dtype=np.uint8)
    ends, fields, quotes, before = [], [], 0, 0
    last_quote = -1
    for start in range(0, len(raw), BLOCK):
        block = raw[start : start + BLOCK]
        stops = np.flatnonzero((block == COMMA) | (block == NEWLINE))
        quoted = np.flatnonzero(block == QUOTE)
        if len(quoted) or quotes % 2:
            inside = (quotes + np.searchsorted(quoted, stops)) % 2 == 1
            stops = stops[~inside]
            if len(quoted):
                last_quote = start + int(quoted[-1])
            quotes += len(quoted)
        newline = np.flatnonzero(block[stops] == NEWLINE)
        counts = np.diff(newline, prepend=-1)
        if len(counts):
            counts[0] += before
            before = len(stops) - int(newline[-1]) - 1
        else:
            before += len(stops)
        fields.append(counts)
        ends.append(stops[newline] + start)
    if quotes % 2:
        line = bytes(data[:last_quote]).count(b"\n") + 1
        raise InvalidSubmissionError(
            f"the quote that opens in line {line} of {name} is never closed"
        )
    all_ends = np.concatenate(ends)
    widths = np.concatenate(fields)
    starts = np.concatenate([[0], all_ends + 1])
    if starts[-1] < len(data):
        return np.append(widths, before + 1), np.append(starts, len(data) + 1)
    return widths, starts


def _widths_by_reader(data: memoryview, name: str) -> tuple[Any, Any]:
    """The same with Python's reader, which treats a quote inside a bare field as pandas does."""
    # For all threads at once, so it must not depend on this file.
    csv.field_size_limit(sys.maxsize)
    reader = csv.reader(io.TextIOWrapper(io.BytesIO(data), "utf-8", newline=""))
    try:
        widths = [len(row) for row in reader]
    except csv.Error as error:
        raise InvalidSubmissionError(f"{name} is not a readable CSV: {error}") from None
    # Blank lines have no fields here; their place does not matter.
    kept = np.array([width for width in widths if width])
    return kept, np.empty(0, dtype=int)


def _is_blank(data: memoryview, starts: Any, line: int) -> bool:
    """pandas skips lines without anything but white space."""
    if not len(starts):
        return False
    return not bytes(data[int(starts[line]) : int(starts[line + 1]) - 1]).strip()
