"""Facts about processes; empty for one that has ended or that we may not inspect.

They come from psutil. Where /proc is read instead, the docstring says why.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Sequence
from pathlib import Path

import psutil

STATE, START_TIME = 0, 19
"""Fields of /proc/PID/stat, counted after the name."""


def boot_id() -> str:
    """Changes with every boot; psutil only has the time, which moves when the clock is set."""
    return Path("/proc/sys/kernel/random/boot_id").read_text().strip()


def start_time(pid: int) -> int | None:
    """When a process started, in clock ticks since boot; None if it has ended.

    psutil converts the ticks to the time of day, so that setting the clock would change the
    identity of a process.
    """
    try:
        text = Path(f"/proc/{pid}/stat").read_bytes()
    except OSError:
        return None
    fields = text.rpartition(b")")[2].split()  # the name before it may contain anything
    return int(fields[START_TIME]) if fields and fields[STATE] != b"Z" else None


def cpu_seconds(pid: int) -> float:
    """CPU time of a process and of its children that have ended."""
    with contextlib.suppress(psutil.Error):
        times = psutil.Process(pid).cpu_times()
        return float(times.user + times.system + times.children_user + times.children_system)
    return 0.0


def descendants(root: int) -> list[int]:
    """All living processes below one, from the kernel's own lists of children.

    psutil reads every process of the machine for this, four times a second and run: 2.6 ms instead
    of 0.4 ms for 20 processes among 114.
    """
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
    """The number of threads.

    psutil looks for it in /proc/PID/status after the name, and a process can name itself
    `Threads:<tab>1`.
    """
    try:
        return sum(1 for _ in os.scandir(f"/proc/{pid}/task"))
    except OSError:
        return 0


def resident_bytes(pid: int) -> int:
    """Resident memory; pages that processes share are counted for each of them."""
    with contextlib.suppress(psutil.Error):
        return int(psutil.Process(pid).memory_info().rss)
    return 0


def proportional_bytes(pid: int) -> int:
    """Resident memory with shared pages divided among their users; slow to measure."""
    with contextlib.suppress(psutil.Error):
        return int(psutil.Process(pid).memory_full_info().pss)
    return resident_bytes(pid)


def anonymous_bytes(pid: int) -> int:
    """Memory without the pages of mapped files, which other processes may map; swap counts."""
    with contextlib.suppress(OSError), open(f"/proc/{pid}/smaps_rollup", "rb") as lines:
        found = (line.split() for line in lines)
        return sum(int(w[1]) << 10 for w in found if w[0] in (b"Anonymous:", b"Swap:"))
    return 0


def shared_pages(pids: Sequence[int]) -> dict[tuple[int, int], int]:
    """Bytes of files that processes have mapped, by device and inode; shared pages count once."""
    found: dict[tuple[int, int], int] = {}
    for pid in pids:
        inode = (0, 0)
        with contextlib.suppress(OSError), open(f"/proc/{pid}/smaps") as file:
            for line in file:
                if line.startswith("Pss:"):
                    if inode[1]:
                        found[inode] = found.get(inode, 0) + int(line.split()[1]) * 1024
                elif "-" in line.partition(" ")[0]:
                    major, _, minor = line.split()[3].partition(":")
                    inode = (os.makedev(int(major, 16), int(minor, 16)), int(line.split()[4]))
    return found


def has_variable(pid: int, name: str, value: str) -> bool:
    """Whether a process was started with a variable of this value in its environment."""
    with contextlib.suppress(psutil.Error):
        return psutil.Process(pid).environ().get(name) == value
    return False
