"""Pages of a log, and the lines that contain a text."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from mlebench.viewer.lines import LineIndex, whole_lines
from mlebench.viewer.places import pread
from mlebench.viewer.text import WINDOW, Shown, show_line

PAGE_BYTES = 192 * 1024
"""Limit of the text; with the JSON around it a reply stays below 256 KB."""

LINE_BYTES = 24
MAX_LINES = 5000
MAX_HITS = 5000
SEARCH_SECONDS = 3.0
ERRORS = (b"Traceback", b"Error", b"Exception", b"Killed", b"CUDA out of memory")


def read_page(descriptor: int, index: LineIndex, first: int, count: int) -> dict[str, Any]:
    """The lines from `first` on; fewer than `count` if the page would become too large."""
    bounds = index.bounds(descriptor, first, min(count, MAX_LINES))
    lines = _read_lines(descriptor, pairwise(bounds))
    return {"first": first, "total": index.total, "size": index.size, "lines": lines}


def read_tail(descriptor: int, index: LineIndex, count: int) -> dict[str, Any]:
    """The last lines, at most `count`."""
    count = min(count, MAX_LINES, index.total)
    bounds = index.bounds(descriptor, index.total - count, count)
    lines = _read_lines(descriptor, reversed(list(pairwise(bounds))))[::-1]
    first = max(0, index.total - len(lines))
    return {"first": first, "total": index.total, "size": index.size, "lines": lines}


def _read_lines(descriptor: int, bounds: Iterable[tuple[int, int]]) -> list[dict[str, Any]]:
    """Lines up to about `PAGE_BYTES` in a reply, at least one."""
    lines: list[dict[str, Any]] = []
    left = PAGE_BYTES
    for start, stop in bounds:
        shown = _read_line(descriptor, start, stop)
        left -= len(shown.text.encode("utf-8", "replace")) + LINE_BYTES
        if left < 0 and lines:
            break
        lines.append(shown.as_json())
    return lines


def _read_line(descriptor: int, start: int, stop: int) -> Shown:
    length = stop - start
    if length <= 2 * WINDOW:
        data = pread(descriptor, length, start).removesuffix(b"\n")
        return show_line(data, data, len(data))
    head = pread(descriptor, WINDOW, start)
    tail = pread(descriptor, WINDOW, stop - WINDOW).removesuffix(b"\n")
    return show_line(head, tail, length - 1)


@dataclass
class Search:
    """Finds the lines of a file that contain one of some texts."""

    needles: Sequence[bytes]
    ignore_case: bool = False
    limit: int = MAX_HITS
    seconds: float = SEARCH_SECONDS
    hits: list[int] = field(default_factory=list)
    total: int = 0
    is_cut: bool = False
    """Whether the time limit was reached before the end of the file."""

    def run(self, descriptor: int) -> None:
        """Search the file and set `hits`, `total` and `is_cut`."""
        needles = [n.lower() for n in self.needles] if self.ignore_case else list(self.needles)
        longest = max(map(len, needles))
        until = time.monotonic() + self.seconds
        line, last, before, is_start = 0, -1, b"", True
        for piece, is_whole in whole_lines(descriptor, os.fstat(descriptor).st_size):
            if time.monotonic() > until:
                self.is_cut = True
                return
            text = before + piece
            if self.ignore_case:
                text = text.lower()
            if is_start and is_whole and self._counts_only(needles):
                # To the end of the line, so that each line matches once.
                self.total += len(re.findall(re.escape(needles[0]) + rb"[^\n]*", text))
                line += piece.count(b"\n")
                continue
            found = [n for n in _lines_with(text, needles, line) if n > last]
            self.total += len(found)
            self.hits += found[: self.limit - len(self.hits)]
            last = found[-1] if found else last
            line += piece.count(b"\n")
            # Within a long line the text may cross the boundary of two pieces.
            before = b"" if is_whole else piece[len(piece) - longest + 1 :]
            is_start = is_whole

    def _counts_only(self, needles: Sequence[bytes]) -> bool:
        """Whether no more lines are listed; counting alone is three times as fast."""
        return len(self.hits) >= self.limit and len(needles) == 1


def _lines_with(text: bytes, needles: Sequence[bytes], line: int) -> list[int]:
    if len(needles) == 1:
        return _lines_with_one(text, needles[0], line)
    return sorted({n for needle in needles for n in _lines_with_one(text, needle, line)})


def _lines_with_one(text: bytes, needle: bytes, line: int) -> list[int]:
    found = []
    counted = 0
    place = text.find(needle)
    while place >= 0:
        line += text.count(b"\n", counted, place)
        found.append(line)
        end = text.find(b"\n", place)
        if end < 0:
            break
        counted = end
        place = text.find(needle, end + 1)
    return found
