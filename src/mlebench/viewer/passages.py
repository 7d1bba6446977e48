"""Where some bytes of a text file are: their lines and columns, and an excerpt around them.

Only a few windows of the file are read, regardless of its size.
"""

from __future__ import annotations

from typing import Any

from mlebench.viewer.lines import LineIndex
from mlebench.viewer.places import pread
from mlebench.viewer.text import WINDOW, clean

AROUND = 200
MAX_EXCERPT = 2000


def find_passage(
    descriptor: int, index: LineIndex, offset: int, length: int
) -> dict[str, Any] | None:
    """The place of `length` bytes from `offset` on; None if the file is shorter."""
    if offset >= index.size:
        return None
    stop = min(offset + max(1, length), index.size)
    first, last = (index.line_at(descriptor, place) for place in (offset, stop - 1))
    start = max(0, offset - AROUND)
    shown = min(stop, offset + MAX_EXCERPT)
    return {
        "first": first,
        "last": last,
        "columns": [
            _column(descriptor, index, line, place)
            for line, place in ((first, offset), (last, stop))
        ],
        "before": _text(pread(descriptor, offset - start, start)),
        "text": _text(pread(descriptor, shown - offset, offset)),
        "cut": stop - shown,
        "after": _text(pread(descriptor, AROUND, stop)),
    }


def _text(data: bytes) -> str:
    return clean(data.decode("utf-8", "replace"))


def _column(descriptor: int, index: LineIndex, line: int, place: int) -> int | None:
    """Characters before a byte of a line, as JavaScript counts them; None if not all are shown."""
    # Of long lines only the ends are read, and text before a carriage return is not shown.
    bounds = index.bounds(descriptor, line, 1)
    if len(bounds) < 2 or bounds[1] - bounds[0] > 2 * WINDOW:
        return None
    data = pread(descriptor, bounds[1] - bounds[0], bounds[0])
    if b"\r" in data.rstrip(b"\r\n"):
        return None
    return len(_text(data[: place - bounds[0]]).encode("utf-16-le")) // 2
