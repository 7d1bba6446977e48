"""Measure what a run uses and compare it with its limits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.sandbox.base import (
    Enforced,
    Excess,
    ResourceLimits,
    ResourceUsage,
    plan_enforcement,
    resource_usage,
)
from mlebench.sandbox.cgroups import Cgroup
from mlebench.sandbox.disk import DiskMeter
from mlebench.sandbox.gpu_use import GpuUse
from mlebench.sandbox.held_files import HeldFiles
from mlebench.sandbox.memory import MemoryMeter
from mlebench.sandbox.procfs import cpu_seconds, descendants, thread_count

if TYPE_CHECKING:
    from mlebench.records.activity import ResourceSample

INTERVAL = 0.25


@dataclass
class Watcher:
    """Measures one run; `excess` is cheap, because it is called several times a second."""

    limits: ResourceLimits
    init: int
    """The PID of the process from which all others of the run descend."""

    folders: Sequence[Path]
    host: Path
    """One of our own folders on the disk of the run."""

    cgroup: Cgroup | None = None
    processes_enforced: Enforced = "polled"
    """How the number of processes is limited without a controller for it."""

    memory_filesystems: Sequence[str] = ()
    """The sandbox's tmpfs folders, as seen from outside."""

    segments: int = -1
    """A descriptor of /proc/sysvipc/shm of the sandbox."""

    processes_used: int = 0
    cpu_seconds: float = 0.0
    _processes_now: int = 0
    held: HeldFiles = field(default_factory=HeldFiles)

    def __post_init__(self) -> None:
        limit = self.limits.memory_bytes
        self.disk = DiskMeter(self.folders, self.limits, self.held, self.host)
        self.memory = MemoryMeter(limit, self.held, self.memory_filesystems, self.segments)
        self.gpus = GpuUse(self.limits.gpus)

    def excess(self) -> Excess | None:
        """The limit that is exceeded now; None if there is none."""
        pids = [self.init, *descendants(self.init)]
        self.cpu_seconds = max(self.cpu_seconds, sum(map(cpu_seconds, pids)))
        self.held.advance(pids, 0.02)
        return self._memory(pids) or self._processes(pids[1:]) or self.disk.excess()

    def sample(self, seconds: float) -> ResourceSample:
        """What the last call of `excess` measured, some seconds after the start."""
        # Imported here, because the probe runs sandboxes with the standard library only.
        from mlebench.records.activity import ResourceSample

        return ResourceSample(
            seconds=round(seconds, 1),
            cpu_seconds=round(self.cpu_seconds, 2),
            memory_bytes=self.memory.now,
            disk_bytes=self.disk.peak,
            processes=self._processes_now,
            **self.gpus.sample(),
        )

    def usage(self, seconds: float, *, gpus: Enforced = "not") -> dict[str, ResourceUsage]:
        """Every limit as it was granted, used and enforced."""
        used = {
            "wall_seconds": seconds,
            "cpus": round(self.cpu_seconds / max(seconds, 0.01), 2),
            "memory_bytes": self.memory.peak,
            "processes": self.processes_used,
            "disk_bytes": self.disk.peak,
            "gpus": self.gpus.mean_share(),
        }
        controllers = self.cgroup.controllers if self.cgroup else ()
        enforced = plan_enforcement(
            self.limits, controllers, processes=self.processes_enforced, gpus=gpus
        )
        return resource_usage(self.limits, used, enforced)

    def _memory(self, pids: list[int]) -> Excess | None:
        limit = self.limits.memory_bytes
        meter = self.memory
        if self.cgroup is not None and "memory" in self.cgroup.controllers:
            meter.now = self.cgroup.memory()
            meter.peak = max(meter.peak, self.cgroup.memory_peak(), meter.now)
            if kills := self.cgroup.oom_kills():
                return Excess("memory", f"it needed more than {limit:,} bytes ({kills} oom kills)")
            return None
        used = meter.measure(pids)
        if limit is not None and used > limit:
            return Excess("memory", f"it used {used:,} bytes of memory, {limit:,} were granted")
        return None

    def _processes(self, pids: list[int]) -> Excess | None:
        limit = self.limits.processes
        if self.cgroup is not None and "pids" in self.cgroup.controllers:
            used, refused = self.cgroup.processes(), self.cgroup.refused_forks()
        else:
            used, refused = sum(map(thread_count, pids)), 0
        self._processes_now = used
        self.processes_used = max(self.processes_used, used)
        if limit is not None and (used > limit or refused):
            return Excess("processes", f"it had {used} processes and threads, {limit} were granted")
        return None
