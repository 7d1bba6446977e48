"""Measure memory without a control group: pages, memfds, shared memory, files in memory."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import psutil

from mlebench.sandbox.held_files import HeldFiles, Inode, memory_device
from mlebench.sandbox.procfs import proportional_bytes, resident_bytes, shared_pages

EXACT_INTERVAL = 5.0
NEAR = 0.8
"""Above this share of the limit every measurement is exact."""

INODE_BYTES = 1024
"""What an empty file in memory takes, about."""


@dataclass
class MemoryMeter:
    """Measures one run; exact sums are slow, so they are rare except near the limit."""

    limit: int | None
    held: HeldFiles
    filesystems: Sequence[str] = ()
    """The sandbox's tmpfs folders, as seen from outside."""

    segments: int = -1
    """A descriptor of /proc/sysvipc/shm, opened in the sandbox before the agent started."""

    peak: int = 0
    now: int = 0
    _exact_at: float = -1e9
    _devices: tuple[int, ...] = field(default_factory=lambda: (memory_device(),))
    _shared_at_start: int = field(default_factory=lambda: _shared_memory())

    def measure(self, pids: Sequence[int]) -> int:
        """Bytes in use now; pages that processes share count once."""
        unmapped = self._unmapped({})
        self.now = sum(map(resident_bytes, pids)) + unmapped
        near = self.limit is not None and self.now > NEAR * self.limit
        if near or time.monotonic() - self._exact_at > EXACT_INTERVAL:
            self._exact_at = time.monotonic()
            mapped = shared_pages(pids) if unmapped else {}
            self.now = sum(map(proportional_bytes, pids)) + self._unmapped(mapped)
        elif self.peak:
            self.now = min(self.now, self.peak)
        self.peak = max(self.peak, self.now)
        return self.now

    def _unmapped(self, mapped: Mapping[Inode, int]) -> int:
        """Memory of files and segments that is not already counted as mapped pages."""
        files = self.held.on(self._devices)
        found = sum(max(0, size - mapped.get(inode, 0)) for inode, size in files.items())
        found += detached_segments(self.segments)
        for folder in self.filesystems:
            device, filled = _filled(folder)
            pages = sum(size for inode, size in mapped.items() if inode[0] == device)
            found += max(0, filled - pages)
        if self.held.is_hidden:
            # Only root may inspect this process: all new shared memory is attributed to it.
            found = max(found, _shared_memory() - self._shared_at_start)
        return found


def detached_segments(descriptor: int) -> int:
    """Bytes of System V segments that no process has attached; attached ones are pages."""
    if descriptor < 0:
        return 0
    with contextlib.suppress(OSError, ValueError, IndexError):
        text = os.pread(descriptor, 1 << 20, 0).decode("ascii", "replace")
        names, *rows = [line.split() for line in text.splitlines()]
        attached, resident = names.index("nattch"), names.index("rss")
        return sum(int(row[resident]) for row in rows if row[attached] == "0")
    return 0


def _shared_memory() -> int:
    """Shared memory of the whole machine."""
    return int(psutil.virtual_memory().shared)


def _filled(folder: str) -> tuple[int, int]:
    """The device of a file system and the bytes that its files take."""
    with contextlib.suppress(OSError):
        found = os.statvfs(folder)
        used = (found.f_blocks - found.f_bfree) * found.f_frsize
        used += (found.f_files - found.f_ffree) * INODE_BYTES
        return os.stat(folder).st_dev, used  # noqa: PTH116 (a string)
    return -1, 0
