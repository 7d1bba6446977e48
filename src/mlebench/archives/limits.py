"""Limits on the unpacked size of one source, summed over all archives inside it."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, field
from pathlib import Path

from mlebench.archives.byte_range import ByteRange
from mlebench.errors import DataError

MAX_MEMBERS = 6_000_000
"""The largest archive of the benchmark has four million files."""

MAX_NESTING = 3
FLOOR_BYTES = 64 << 20
MAX_GROWTH = 100
"""Tables compress twentyfold; a ratio of a hundred indicates a decompression bomb."""

RESERVE = 0.01
"""The share of a disk that is left free."""


@dataclass
class UnpackingBudget:
    """Members and bytes that may still be read from a source; each archive is counted once."""

    source_bytes: int
    """Size of the source itself on disk."""

    max_members: int = MAX_MEMBERS
    members: int = 0
    bytes: int = 0
    admitted: set[str] = field(default_factory=set)
    """Places of the archives that were counted."""

    @property
    def max_bytes(self) -> int:
        return FLOOR_BYTES + MAX_GROWTH * self.source_bytes

    def admit(self, archive: ByteRange, members: int, size: int) -> None:
        """Count an archive by its declared sizes; reading never returns more than that."""
        if archive.place in self.admitted:
            return
        self.admitted.add(archive.place)
        if self.members + members > self.max_members:
            raise DataError(
                f"{archive.name} raises the number of members above {self.max_members:,}"
            )
        self.members += members
        self.spend(size, archive.name)

    def spend(self, size: int, name: str) -> None:
        """Count bytes that are read from an archive."""
        self.bytes += size
        if self.bytes > self.max_bytes:
            raise DataError(
                f"{name} unpacks to more than {self.max_bytes:,} bytes, {MAX_GROWTH} times the size"
                " of its source: refused as a decompression bomb"
            )


def require_space(folder: Path, size: int) -> None:
    """Raise before the disk is full, with the space that is needed and the space that is free."""
    disk = shutil.disk_usage(folder)
    needed = size + int(min(RESERVE * disk.total, FLOOR_BYTES))
    if needed > disk.free:
        raise DataError(
            f"the disk is full: {folder} has {disk.free / 1e6:,.1f} MB free,"
            f" expected {needed / 1e6:,.1f} MB",
            hint="free some space (mlebench clean), or choose another disk with --data-dir",
        )
