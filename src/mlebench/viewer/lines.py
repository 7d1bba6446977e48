"""The number of lines of a growing file of any size, and the offset of each.

The index stores the number of line ends before each block: a line is found by reading one block,
and a file of 10 GB takes 40,000 numbers. Files are not memory-mapped, because an agent that
truncates a mapped file would crash the viewer.
"""

from __future__ import annotations

import os
import time
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from threading import Lock
from typing import Generic, Protocol, TypeVar

from mlebench.viewer.places import pread

BLOCK = 256 * 1024
CHUNK = 4 << 20
SCAN_SECONDS = 2.0


class StillReading(Exception):
    """The lines of a large file are not counted yet; the client retries."""

    def __init__(self, share: float) -> None:
        super().__init__(f"its lines are being counted, {share:.0%} so far")


@dataclass
class LineIndex:
    """The line ends of the part of a file that was read."""

    before: list[int] = field(default_factory=lambda: [0])
    """Line ends before each whole block, and after the last of them."""

    size: int = 0
    ends: int = 0
    """Line ends in the whole file, including its last incomplete block."""

    is_open: bool = False
    """Whether the last line has no line end."""

    lock: Lock = field(default_factory=Lock)

    @property
    def total(self) -> int:
        return self.ends + self.is_open

    def advance(self, descriptor: int, seconds: float = SCAN_SECONDS) -> None:
        """Read from the last position to the end of the file.

        Raises:
            StillReading: it took longer than `seconds`; the next call continues.
        """
        with self.lock:
            size = os.fstat(descriptor).st_size
            if size == self.size:
                return
            if size < self.size:
                self.before, self.size = [0], 0
            until = time.monotonic() + seconds
            position = (len(self.before) - 1) * BLOCK
            while position + BLOCK <= size:
                data = pread(descriptor, min(CHUNK, (size - position) // BLOCK * BLOCK), position)
                for start in range(0, len(data), BLOCK):
                    count = data.count(b"\n", start, start + BLOCK)
                    self.before.append(self.before[-1] + count)
                position += len(data)
                if time.monotonic() > until or not data:
                    self.size = 0
                    raise StillReading(position / size)
            rest = pread(descriptor, size - position, position)
            self.ends = self.before[-1] + rest.count(b"\n")
            last = rest[-1:] or pread(descriptor, 1, size - 1)
            self.is_open = last not in (b"", b"\n")
            self.size = size

    def line_at(self, descriptor: int, offset: int) -> int:
        """The number of the line that a byte of the file belongs to."""
        block = min(offset // BLOCK, len(self.before) - 1)
        data = pread(descriptor, offset - block * BLOCK, block * BLOCK)
        return self.before[block] + data.count(b"\n")

    def bounds(self, descriptor: int, first: int, count: int) -> list[int]:
        """The offsets of up to `count` lines, and the offset where the last one ends."""
        last = min(first + count, self.total)
        found = [0] if first == 0 else []
        ordinal = max(0, first - 1)
        while ordinal < min(last, self.ends):
            block = bisect_right(self.before, ordinal) - 1
            data = pread(descriptor, BLOCK, block * BLOCK)
            number, place = self.before[block], -1
            while number < last and (place := data.find(b"\n", place + 1)) >= 0:
                if number >= ordinal:
                    found.append(block * BLOCK + place + 1)
                number += 1
            if number <= ordinal:  # the file was replaced
                break
            ordinal = number
        if last > self.ends:
            found.append(self.size)
        return found


class FileIndex(Protocol):
    """What `FileIndexes` requires of an index."""

    def advance(self, descriptor: int) -> None: ...


AnyIndex = TypeVar("AnyIndex", bound=FileIndex)


class FileIndexes(Generic[AnyIndex]):
    """The indexes of the files that were read last."""

    make: Callable[[], AnyIndex]
    limit = 64

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[int, int], AnyIndex] = OrderedDict()
        self._lock = Lock()

    def of(self, descriptor: int) -> AnyIndex:
        """The up-to-date index of an open file."""
        found = os.fstat(descriptor)
        key = (found.st_dev, found.st_ino)
        with self._lock:
            index = self._known.pop(key, None) or self.make()
            self._known[key] = index
            while len(self._known) > self.limit:
                self._known.popitem(last=False)
        index.advance(descriptor)
        return index


class Lines(FileIndexes[LineIndex]):
    """The lines of logs and files."""

    make = LineIndex


def whole_lines(descriptor: int, size: int) -> Iterator[tuple[bytes, bool]]:
    """The file in chunks of whole lines; (data, False) is a part of a line longer than a chunk."""
    position, rest = 0, b""
    while position < size:
        data = pread(descriptor, min(CHUNK, size - position), position)
        if not data:
            break
        position += len(data)
        cut = data.rfind(b"\n") + 1
        if cut:
            yield rest + data[:cut], True
            rest = data[cut:]
        else:
            yield rest + data, False
            rest = b""
    if rest:
        yield rest, True
