"""Measure what a run uses and compare it with its limits."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.sandbox.base import EndedBy, Enforced, ResourceLimits, ResourceUsage
from mlebench.sandbox.cgroups import Cgroup
from mlebench.sandbox.procfs import (
    cpu_seconds,
    descendants,
    proportional_bytes,
    resident_bytes,
    thread_count,
)

if TYPE_CHECKING:
    from mlebench.records.activity import ResourceSample

INTERVAL = 0.25
PSS_INTERVAL = 5.0
RESERVE_BYTES = 1 << 30
BLOCK_BYTES = 512


@dataclass(frozen=True)
class Excess:
    """The limit that was exceeded, and one sentence about it."""

    ended_by: EndedBy
    reason: str


@dataclass
class Watcher:
    """Measures one run; `excess` is cheap and is called several times a second."""

    limits: ResourceLimits
    init: int
    """The PID of the process from which all others of the run descend."""

    folders: Sequence[Path]
    cgroup: Cgroup | None = None
    processes_enforced: Enforced = "polled"
    memory_filesystems: Sequence[str] = ()
    """The sandbox's tmpfs folders, as seen from outside."""

    clock: Callable[[], float] = time.monotonic
    memory_used: int = 0
    processes_used: int = 0
    disk_used: int = 0
    cpu_seconds: float = 0.0
    _memory_now: int = 0
    _processes_now: int = 0
    _pss_at: float = -1e9
    _walk: Iterator[int] | None = None
    _reserve: float = field(default=0.0)

    def __post_init__(self) -> None:
        self._reserve = min(RESERVE_BYTES, self._free() / 2)

    def excess(self) -> Excess | None:
        """The limit that is exceeded now, if any."""
        pids = [self.init, *descendants(self.init)]
        self.cpu_seconds = max(self.cpu_seconds, sum(map(cpu_seconds, pids)))
        return self._memory(pids) or self._processes(pids[1:]) or self._disk()

    def sample(self, seconds: float) -> ResourceSample:
        """What the last call of `excess` measured, some seconds after the start."""
        # Imported here, because the probe runs sandboxes with the standard library only.
        from mlebench.records.activity import ResourceSample

        return ResourceSample(
            seconds=round(seconds, 1),
            cpu_seconds=round(self.cpu_seconds, 2),
            memory_bytes=self._memory_now,
            disk_bytes=self.disk_used,
            processes=self._processes_now,
        )

    def usage(
        self, seconds: float, *, cpus: Enforced = "not", gpus: Enforced = "not"
    ) -> dict[str, ResourceUsage]:
        """Every limit as it was granted, used and enforced."""
        limits = self.limits
        memory: Enforced = "kernel" if self.cgroup and self.cgroup.limits_memory else "polled"
        return {
            "wall_seconds": ResourceUsage(limits.wall_seconds, seconds, "polled"),
            "cpus": ResourceUsage(
                limits.cpus, round(self.cpu_seconds / max(seconds, 0.01), 2), cpus
            ),
            "memory_bytes": ResourceUsage(limits.memory_bytes, self.memory_used, memory),
            "processes": ResourceUsage(
                limits.processes, self.processes_used, self.processes_enforced
            ),
            "disk_bytes": ResourceUsage(limits.disk_bytes, self.disk_used, "polled"),
            "gpus": ResourceUsage(len(limits.gpus), None, gpus),
        }

    def _memory(self, pids: list[int]) -> Excess | None:
        limit = self.limits.memory_bytes
        if self.cgroup is not None and self.cgroup.limits_memory:
            self._memory_now = self.cgroup.memory()
            self.memory_used = max(self.memory_used, self.cgroup.memory_peak(), self._memory_now)
            if kills := self.cgroup.oom_kills():
                return Excess("memory", f"it needed more than {limit} bytes ({kills} oom kills)")
            return None
        used = self._memory_now = self._measured_memory(limit, pids)
        self.memory_used = max(self.memory_used, used)
        if limit is not None and used > limit:
            return Excess("memory", f"it used {used} bytes of memory, {limit} were granted")
        return None

    def _measured_memory(self, limit: int | None, pids: list[int]) -> int:
        """Resident pages count shared pages twice; the exact sum is slow, so it is taken seldom."""
        extra = sum(map(_filled, self.memory_filesystems))
        used = sum(map(resident_bytes, pids)) + extra
        near = limit is not None and used > 0.8 * limit
        if near or self.clock() - self._pss_at > PSS_INTERVAL:
            self._pss_at = self.clock()
            return sum(map(proportional_bytes, pids)) + extra
        return min(used, self.memory_used) if self.memory_used else used

    def _processes(self, pids: list[int]) -> Excess | None:
        limit = self.limits.processes
        if self.cgroup is not None and self.cgroup.limits_processes:
            used, refused = self.cgroup.processes(), self.cgroup.refused_forks()
        else:
            used, refused = sum(map(thread_count, pids)), 0
        self._processes_now = used
        self.processes_used = max(self.processes_used, used)
        if limit is not None and (used > limit or refused):
            return Excess("processes", f"it had {used} processes and threads, {limit} were granted")
        return None

    def _disk(self) -> Excess | None:
        free = self._free()
        limit = self.limits.disk_bytes
        self._advance_walk(0.02)
        if limit is not None and self.disk_used > limit:
            return Excess("disk", f"its folders hold {self.disk_used} bytes, {limit} were granted")
        if free < self._reserve:
            blame: EndedBy = "disk" if self.disk_used > self._reserve / 4 else "machine"
            return Excess(blame, f"only {int(free)} bytes are free on the disk of the run")
        return None

    def _free(self) -> float:
        """Free bytes on the disk of the run; 0 if it has no free inodes."""
        free = float("inf")
        for folder in self.folders:
            with contextlib.suppress(OSError):
                found = os.statvfs(folder)
                free = min(free, found.f_bavail * found.f_frsize)
                if found.f_files and found.f_favail < 1000:
                    free = 0
        return free

    def _advance_walk(self, seconds: float) -> None:
        """Continue the sum over the agent's folders for some time; millions of files take long."""
        until = self.clock() + seconds
        if self._walk is None:
            self._walk = disk_usage(self.folders)
        for used in self._walk:
            self.disk_used = max(self.disk_used, used)
            if self.clock() > until:
                return
        self._walk = None


def disk_usage(folders: Sequence[Path]) -> Iterator[int]:
    """Bytes in use below folders, yielded as the sum grows; an inode counts as one kilobyte."""
    used = 0
    waiting = [os.fspath(folder) for folder in folders]
    while waiting:
        with contextlib.suppress(OSError), os.scandir(waiting.pop()) as entries:
            for number, entry in enumerate(entries):
                with contextlib.suppress(OSError):
                    found = entry.stat(follow_symlinks=False)
                    used += found.st_blocks * BLOCK_BYTES + 1024
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
                if number % 256 == 0:
                    yield used
        yield used


def _filled(folder: str) -> int:
    with contextlib.suppress(OSError):
        found = os.statvfs(folder)
        return (found.f_blocks - found.f_bfree) * found.f_frsize
    return 0
