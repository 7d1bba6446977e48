"""Read facts about processes from /proc; a process that has gone counts as nothing."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")
TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
STATE, START_TIME, CPU_TIMES = 0, 19, slice(11, 15)
"""Fields of /proc/PID/stat, counted after the name."""


def boot_id() -> str:
    return Path("/proc/sys/kernel/random/boot_id").read_text().strip()


def start_time(pid: int) -> int | None:
    """When a process started, in clock ticks since boot; none if it has ended."""
    fields = _stat(pid)
    return int(fields[START_TIME]) if fields and fields[STATE] != "Z" else None


def cpu_seconds(pid: int) -> float:
    """CPU time of a process and of its children that have ended."""
    fields = _stat(pid)
    return sum(map(int, fields[CPU_TIMES])) / TICKS_PER_SECOND if fields else 0.0


def _stat(pid: int) -> list[str]:
    """The fields of /proc/PID/stat after the name, which may contain anything."""
    try:
        text = Path(f"/proc/{pid}/stat").read_bytes()
    except OSError:
        return []
    return text.rpartition(b")")[2].decode("ascii", "replace").split()


def all_pids() -> list[int]:
    """Every process that we can see, except our own."""
    own = os.getpid()
    names = [entry.name for entry in os.scandir("/proc")]
    return [int(name) for name in names if name.isdigit() and int(name) != own]


def descendants(root: int) -> list[int]:
    """All living processes below one, from the kernel's own lists of children."""
    found: list[int] = []
    waiting = [root]
    while waiting:
        for child in _children(waiting.pop()):
            found.append(child)
            waiting.append(child)
    return found


def _children(pid: int) -> list[int]:
    found: list[int] = []
    with contextlib.suppress(OSError):
        for task in os.scandir(f"/proc/{pid}/task"):
            with contextlib.suppress(OSError), open(f"{task.path}/children") as file:
                found += map(int, file.read().split())
    return found


def thread_count(pid: int) -> int:
    try:
        return sum(1 for _ in os.scandir(f"/proc/{pid}/task"))
    except OSError:
        return 0


def resident_bytes(pid: int) -> int:
    """Resident memory; pages that processes share are counted for each of them."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE_BYTES
    return 0


def proportional_bytes(pid: int) -> int:
    """Resident memory with shared pages divided among their users; slow to ask for."""
    with contextlib.suppress(OSError, ValueError), open(f"/proc/{pid}/smaps_rollup") as file:
        for line in file:
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    return resident_bytes(pid)


def has_variable(pid: int, assignment: bytes) -> bool:
    """Whether a process was started with `NAME=VALUE` in its environment."""
    try:
        return assignment in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except OSError:
        return False
