"""Counts of what episodes could leave behind: processes, mounts, control groups, descriptors."""

from __future__ import annotations

import os
import re
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TypeAlias

from mlebench.sandbox.cgroups import MOUNT
from mlebench.sandbox.procfs import anonymous_bytes, descendants, proportional_bytes, start_time
from mlebench.sandbox.programs.launcher import STAGE

GROUP_PREFIX = "mlebench-gym-"
MOUNT_POINTS = re.compile(rf"{STAGE}(/\d+)?$|/mlebench-(bench|gym|sockets)-")
"""Where episodes mount file systems; other programs may mount elsewhere at any time."""


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
    mounts = Path("/proc/self/mountinfo").read_text().splitlines()
    return Counts(
        processes=len(pids) - 1,
        mounts=sum(MOUNT_POINTS.search(line.split()[4]) is not None for line in mounts),
        groups=sum(1 for _ in MOUNT.rglob(f"{GROUP_PREFIX}{os.getpid()}-*")),
        descriptors=sum(map(_descriptors, pids)),
    )


def memory_of_descendants() -> int:
    """Bytes of all descendants; pages that processes share count once."""
    return sum(map(proportional_bytes, descendants(os.getpid())))


def own_memory() -> int:
    return proportional_bytes(os.getpid())


Memory: TypeAlias = dict[tuple[int, int | None], int]
"""Bytes by PID and start of a process."""


def memory_of_each() -> Memory:
    """The memory of this process and of each descendant.

    Without mapped files: a process is charged a share of their pages, which changes whenever
    another process, even of another user, maps the same libraries or ends.
    """
    pids = [os.getpid(), *descendants(os.getpid())]
    return {(pid, start_time(pid)): anonymous_bytes(pid) for pid in pids}


def growth(before: Memory, now: Memory) -> dict[int, float]:
    """The share by which each process that existed the whole time has grown, by PID."""
    both = before.keys() & now.keys()
    return {key[0]: now[key] / before[key] - 1 for key in both if before[key]}


def _descriptors(pid: int) -> int:
    try:
        return len(os.listdir(f"/proc/{pid}/fd"))  # noqa: PTH208 (names only)
    except OSError:
        return 0
