"""Counts of what episodes could leave behind: processes, mounts, control groups, descriptors."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass
from pathlib import Path

from mlebench.sandbox.cgroups import MOUNT
from mlebench.sandbox.procfs import descendants, proportional_bytes

GROUP_PREFIX = "mlebench-gym-"


@dataclass(frozen=True)
class Counts:
    """What exists now."""

    processes: int
    """Descendants of this process."""

    mounts: int
    groups: int
    descriptors: int
    """Of this process and all its descendants."""

    def above(self, earlier: Counts) -> dict[str, int]:
        """What was added since; empty if nothing was."""
        before = asdict(earlier)
        grown = {name: value - before[name] for name, value in asdict(self).items()}
        return {name: value for name, value in grown.items() if value > 0}


def count() -> Counts:
    """Count everything that belongs to this process."""
    pids = [os.getpid(), *descendants(os.getpid())]
    return Counts(
        processes=len(pids) - 1,
        mounts=len(Path("/proc/self/mountinfo").read_text().splitlines()),
        groups=sum(1 for _ in MOUNT.rglob(f"{GROUP_PREFIX}{os.getpid()}-*")),
        descriptors=sum(map(_descriptors, pids)),
    )


def memory_of_descendants() -> int:
    """Bytes of all descendants; pages that processes share count once."""
    return sum(map(proportional_bytes, descendants(os.getpid())))


def own_memory() -> int:
    return proportional_bytes(os.getpid())


def _descriptors(pid: int) -> int:
    try:
        return len(os.listdir(f"/proc/{pid}/fd"))  # noqa: PTH208 (names only)
    except OSError:
        return 0
