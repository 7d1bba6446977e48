"""What an episode may use, and the clocks that measure its time."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import Literal

from mlebench.errors import UsageError
from mlebench.sandbox.base import ResourceLimits

GB = 1 << 30
ClockKind = Literal["wall", "virtual"]


@dataclass(frozen=True, kw_only=True)
class EpisodeLimits:
    """Limits of one episode."""

    steps: int = 50
    seconds: float = 3600.0
    run_seconds: float = 600.0
    """For a single run."""

    memory_bytes: int = 4 * GB
    """Of the sandbox, including its files in memory."""

    disk_bytes: int = GB
    """In the agent's folders, which are in memory."""

    processes: int = 128
    clock: ClockKind = "wall"

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if isinstance(value, int | float) and not (value > 0 and math.isfinite(value)):
                raise UsageError(f"the limit {name} must be above 0, found {value}")
        if self.clock not in ("wall", "virtual"):
            raise UsageError(f"unknown clock {self.clock!r}; expected wall or virtual")

    def resources(self, spare_processes: int = 0) -> ResourceLimits:
        """The limits of the sandbox."""
        return ResourceLimits(
            wall_seconds=self.run_seconds,
            memory_bytes=self.memory_bytes,
            processes=self.processes + spare_processes,
            disk_bytes=self.disk_bytes,
        )


class EpisodeClock:
    """Time that an episode has used.

    The wall clock counts real time. The virtual clock counts the processor time of runs, each
    rounded up to whole seconds: other load on the machine and the policy's own time do not count,
    and the same actions use the same time unless a run ends within noise of a whole second.
    """

    def __init__(self, limits: EpisodeLimits) -> None:
        self._limits = limits
        self._start = time.monotonic()
        self._charged = 0

    def charge(self, processor_seconds: float) -> None:
        """Count a run; has no effect on the wall clock."""
        self._charged += math.ceil(processor_seconds)

    @property
    def used(self) -> float:
        if self._limits.clock == "virtual":
            return float(self._charged)
        return time.monotonic() - self._start

    @property
    def left(self) -> float:
        return max(0.0, self._limits.seconds - self.used)
