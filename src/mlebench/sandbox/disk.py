"""Measure the disk that a run uses, and find out who filled it."""

from __future__ import annotations

import contextlib
import os
import stat
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from mlebench.sandbox.base import Excess, ResourceLimits
from mlebench.sandbox.held_files import BLOCK_BYTES, HeldFiles
from mlebench.system.trees import walk_tree

RESERVE_BYTES = 1 << 30
FEWEST_INODES = 1000
INODE_BYTES = 1024
PATIENCE_SECONDS = 10.0
"""How long a small run continues below the reserve; the run that fills the disk ends first."""

SETTLE_SECONDS = 30.0
RELEASE_SECONDS = 3.0


@dataclass
class DiskMeter:
    """Measures the agent's folders and its unlinked open files."""

    folders: Sequence[Path]
    limits: ResourceLimits
    held: HeldFiles
    host: Path
    """One of our own folders on the disk of the run, where a reserve stays free."""

    peak: int = 0
    is_hidden: bool = False
    """Whether a part of the folders could not be read in the last complete walk."""

    reserve: float = 0.0
    _devices: tuple[int, ...] = ()
    _walk: Iterator[int] | None = None
    _low_since: float | None = None
    _free_at_end: float = 0.0
    _was_hidden: bool = False

    def __post_init__(self) -> None:
        self.reserve = min(RESERVE_BYTES, self.free() / 2)
        self._devices = tuple({folder.stat().st_dev for folder in self.folders})

    def excess(self) -> Excess | None:
        """The limit or reserve that is exceeded now; `settle` decides who is to blame."""
        self._advance(0.02)
        limit = self.limits.disk_bytes
        if limit is not None and self.peak > limit:
            return Excess("disk", f"its files take {self.peak:,} bytes, {limit:,} are granted")
        free = self.free()
        if free >= self.reserve:
            self._low_since = None
            return None
        reason = f"only {int(free):,} bytes are free on the disk of the run"
        self._free_at_end = free
        if self.is_hidden or self.peak > self.reserve / 4:
            return Excess("disk", reason)
        self._low_since = self._low_since or time.monotonic()
        is_over = time.monotonic() - self._low_since > PATIENCE_SECONDS
        return Excess("machine", reason) if is_over else None

    def settle(self, found: Excess) -> Excess:
        """Decide who filled the disk, when every process of the run has ended.

        Space that the run hid from the measurements is free again then: unlinked files on
        descriptors in flight or in mappings. Files that it hid in folders can now be measured.
        """
        if found.ended_by != "machine":
            return found
        self._walk = None
        self._advance(SETTLE_SECONDS)
        until = time.monotonic() + RELEASE_SECONDS
        while time.monotonic() < until:
            released = self.free() - self._free_at_end
            if max(released, self.peak) > self.reserve / 4 or self.is_hidden:
                return Excess("disk", f"{found.reason}, which it had filled")
            time.sleep(0.05)
        return found

    def free(self) -> float:
        """Free bytes on the disk of the run; 0 if it has no free inodes."""
        free = float("inf")
        for folder in [self.host] if self.limits.has_own_disk else self.folders:
            with contextlib.suppress(OSError):
                found = os.statvfs(folder)
                free = min(free, found.f_bavail * found.f_frsize)
                if found.f_files and found.f_favail < FEWEST_INODES:
                    free = 0
        return free

    def _advance(self, seconds: float) -> None:
        """Continue the sum over the agent's folders for some time; millions of files take long."""
        until = time.monotonic() + seconds
        if self._walk is None:
            self._walk, self._was_hidden = self._measure(), False
        for used in self._walk:
            self.peak = max(self.peak, used)
            if time.monotonic() > until:
                return
        self._walk, self.is_hidden = None, self._was_hidden

    def _measure(self) -> Iterator[int]:
        """Bytes in use, yielded as the sum grows; each name counts for some bytes itself."""
        used = sum(self.held.on(self._devices).values())
        yield used
        for folder in self.folders:
            for number, found in enumerate(walk_tree(folder, is_unlocked=True)):
                if found is None:
                    self._was_hidden = True
                else:
                    links = 1 if stat.S_ISDIR(found.st_mode) else max(1, found.st_nlink)
                    used += found.st_blocks * BLOCK_BYTES // links + INODE_BYTES
                if number % 256 == 0:
                    yield used
        yield used
