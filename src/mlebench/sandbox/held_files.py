"""Unlinked files and memfds that processes hold open.

They are in no folder, and they take disk or memory until their last user ends.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

BLOCK_BYTES = 512
Inode = tuple[int, int]
"""Device and number."""


@dataclass
class HeldFiles:
    """Inspects the descriptors of all processes repeatedly, a few at a time."""

    files: dict[Inode, int] = field(default_factory=dict)
    """Bytes of each file without a name, as of the last complete round."""

    is_hidden: bool = False
    """Whether the descriptors of a process could not be listed in that round."""

    _round: Iterator[tuple[Inode, int] | None] | None = None
    _found: dict[Inode, int] = field(default_factory=dict)
    _is_hidden: bool = False

    def advance(self, pids: Sequence[int], seconds: float) -> None:
        """Continue for some seconds; a round over 100,000 descriptors takes several calls."""
        until = time.monotonic() + seconds
        if self._round is None:
            self._round, self._found, self._is_hidden = unnamed_files(pids), {}, False
        for found in self._round:
            if found is None:
                self._is_hidden = True
            else:
                self._found[found[0]] = found[1]
            if time.monotonic() > until:
                return
        self._round = None
        self.files, self.is_hidden = self._found, self._is_hidden

    def on(self, devices: Sequence[int]) -> dict[Inode, int]:
        """The files on some devices, including those of an unfinished round."""
        both = self.files | self._found
        return {inode: size for inode, size in both.items() if inode[0] in devices}


def unnamed_files(pids: Sequence[int]) -> Iterator[tuple[Inode, int] | None]:
    """Unlinked files that these processes hold, and None for each process we may not inspect."""
    for pid in pids:
        try:
            entries = os.scandir(f"/proc/{pid}/fd")
        except PermissionError:
            yield None
            continue
        except OSError:
            continue  # it has ended
        with entries:
            for entry in entries:
                try:
                    found = os.stat(entry.path)  # noqa: PTH116 (thousands of descriptors)
                except OSError:
                    continue
                if stat.S_ISREG(found.st_mode) and found.st_nlink == 0:
                    yield (found.st_dev, found.st_ino), found.st_blocks * BLOCK_BYTES


def memory_device() -> int:
    """The device of memfds and shared memory, which is one for the whole kernel."""
    descriptor = os.memfd_create("device")
    try:
        return os.fstat(descriptor).st_dev
    finally:
        os.close(descriptor)
