"""The shape of a CSV, counted on its bytes: every line must have as many fields as the header.

A field ends at a comma or line end outside quotes, so one look at the positions of three characters
tells the width of every line without parsing it.
"""

from __future__ import annotations

import csv
import io
from typing import Any

import numpy as np

from mlebench.errors import InvalidSubmissionError

BLOCK = 32 << 20
CACHED = 1 << 18
"""So many bytes that all about them stays in the processor's cache."""

QUOTE, COMMA, NEWLINE = ord('"'), ord(","), ord("\n")
SEPARATES = np.isin(np.arange(256), [QUOTE, COMMA, NEWLINE])
"""What may stand in front of a quote that opens; at the very start it is the quote itself."""


def check_shape(data: bytes, name: str, *, columns: int, max_rows: int) -> int:
    """Refuse ragged lines, open quotes and too many rows; gives the number of rows."""
    lines, commas = _count_outside_quotes(data)
    if commas == lines * (columns - 1) and 0 < lines <= max_rows:
        # One line too long would need another too short to hide, and pandas refuses the long one.
        return lines - 1
    if _has_stray_quotes(data):
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
    return rows


def _count_outside_quotes(data: bytes) -> tuple[int, int]:
    """Lines and commas; no lines where quotes open inside a field or are left open."""
    raw = np.frombuffer(data, dtype=np.uint8)
    has_quotes = b'"' in data
    newlines = commas = quotes = 0
    for start in range(0, len(raw), CACHED):
        piece = raw[start : start + CACHED]
        is_newline, is_comma = piece == NEWLINE, piece == COMMA
        if has_quotes:
            places = np.flatnonzero((piece == QUOTE) | is_newline | is_comma)
            letters = piece[places]
            is_quote = letters == QUOTE
            number = np.cumsum(is_quote, dtype=np.int32) + quotes
            opening = places[is_quote & (number & 1 == 1)] + start
            if not SEPARATES[raw[opening - (opening > 0)]].all():
                return 0, 0
            quotes = int(number[-1]) if len(number) else quotes
            is_outside = number & 1 == 0
            is_newline, is_comma = (is_outside & (letters == letter) for letter in (NEWLINE, COMMA))
        newlines += int(np.count_nonzero(is_newline))
        commas += int(np.count_nonzero(is_comma))
    return (0, 0) if quotes % 2 else (newlines + (not data.endswith(b"\n")), commas)


def _has_stray_quotes(data: bytes) -> bool:
    """Whether a quote opens anywhere but at the start of a field: then counting is not enough."""
    if b'"' not in data:
        return False
    raw = np.frombuffer(data, dtype=np.uint8)
    opening = np.flatnonzero(raw == QUOTE)[::2]
    opening = opening[opening > 0]
    before = raw[opening - 1]
    return bool(np.any((before != COMMA) & (before != NEWLINE) & (before != QUOTE)))


def _widths_by_position(data: bytes, name: str) -> tuple[Any, Any]:
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
        line = data.count(b"\n", 0, last_quote) + 1
        raise InvalidSubmissionError(
            f"the quote that opens in line {line} of {name} is never closed"
        )
    all_ends = np.concatenate(ends)
    widths = np.concatenate(fields)
    starts = np.concatenate([[0], all_ends + 1])
    if starts[-1] < len(data):
        return np.append(widths, before + 1), np.append(starts, len(data) + 1)
    return widths, starts


def _widths_by_reader(data: bytes, name: str) -> tuple[Any, Any]:
    """The same with Python's reader, which treats a quote inside a bare field as pandas does."""
    csv.field_size_limit(len(data) + 1)
    reader = csv.reader(io.TextIOWrapper(io.BytesIO(data), "utf-8", newline=""))
    try:
        widths = [len(row) for row in reader]
    except csv.Error as error:
        raise InvalidSubmissionError(f"{name} is not a readable CSV: {error}") from None
    # Blank lines have no fields here; their place does not matter.
    kept = np.array([width for width in widths if width])
    return kept, np.empty(0, dtype=int)


def _is_blank(data: bytes, starts: Any, line: int) -> bool:
    """pandas skips lines without anything but white space."""
    if not len(starts):
        return False
    return not data[int(starts[line]) : int(starts[line + 1]) - 1].strip()
