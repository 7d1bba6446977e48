"""Wait until a sandbox ends, or end it at a deadline, a limit or a cancellation."""

from __future__ import annotations

import contextlib
import fcntl
import os
import select
import signal
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from mlebench.errors import SandboxError
from mlebench.sandbox.base import Excess, IsCancelled, Outcome, ResourceUsage
from mlebench.sandbox.output import CHUNK, CappedLog
from mlebench.sandbox.process_tree import has_ended
from mlebench.sandbox.procfs import descendants
from mlebench.sandbox.watcher import INTERVAL, Watcher

GRACE_SECONDS = 3.0
CANCEL_INTERVAL = 1.0
PIPE_BYTES = 1 << 20
NOTE_INTERVAL = 10.0
END_SECONDS = 900.0
"""A killed process ends only when its writes are on the disk, which can take minutes."""


@dataclass(frozen=True)
class Ending:
    """Why and when a sandbox ended."""

    cause: Excess
    seconds: float
    suspended_seconds: float

    def outcome(
        self, exit_code: int | None, usage: Mapping[str, ResourceUsage], facts: Mapping[str, object]
    ) -> Outcome:
        """The outcome of the job; the exit code counts only if the agent ended by itself."""
        ended_by, reason = self.cause
        code = exit_code if ended_by == "exit" else None
        if code is not None:
            reason = f"it ended by itself with exit code {code}"
        return Outcome(ended_by, code, reason, self.seconds, usage, facts)


class RunClock:
    """Time since the start, and how long the machine was suspended meanwhile."""

    def __init__(self) -> None:
        self._start = time.monotonic()
        self._boot = time.clock_gettime(time.CLOCK_BOOTTIME)

    def seconds(self) -> float:
        return time.monotonic() - self._start

    def suspended(self) -> float:
        gone = time.clock_gettime(time.CLOCK_BOOTTIME) - self._boot
        return round(max(0.0, gone - self.seconds()), 1)


@dataclass(kw_only=True)
class Supervisor:
    """Waits for one sandbox, in the thread that started it."""

    pidfd: int
    """Of the process whose end ends the whole sandbox."""

    output: int
    log: CappedLog
    watcher: Watcher
    is_cancelled: IsCancelled
    kill: Callable[[], object]
    """Kills every process of the sandbox."""

    spare: tuple[int, ...] = ()
    """PIDs of our own processes in the sandbox, which get no SIGTERM."""

    notes: Path | None = None
    """A file for what the run uses over time, one JSON line every few seconds."""

    _next_note: float = 0.0

    def wait(self) -> Ending:
        """Return when the sandbox is empty."""
        clock = RunClock()
        os.set_blocking(self.output, False)
        with contextlib.suppress(OSError):  # the user's total for pipes may be used up
            fcntl.fcntl(self.output, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
        cause = self._wait_for_cause(clock)
        if cause is None:
            # The kernel may have enforced a limit between two measurements.
            cause = self.watcher.excess() or Excess("exit", "it ended by itself")
        else:
            if cause.ended_by in ("time", "cancelled"):
                self._ask_to_end()
            self.kill()
            self._pump_until_end(END_SECONDS)
            if not has_ended(self.pidfd):
                raise SandboxError(f"the sandbox could not be ended within {END_SECONDS:g} seconds")
            cause = self.watcher.disk.settle(cause)
        drain(self.output, self.log)
        return Ending(cause, round(clock.seconds(), 3), clock.suspended())

    def _wait_for_cause(self, clock: RunClock) -> Excess | None:
        """Why the sandbox has to be ended; none if it ended by itself."""
        limit = self.watcher.limits.wall_seconds
        next_check = 0.0
        next_cancel = 0.0
        while True:
            now = clock.seconds()
            if now >= limit:
                return Excess("time", f"its {limit:g} seconds were over")
            if now >= next_cancel:
                next_cancel = now + CANCEL_INTERVAL
                if self.is_cancelled():
                    return Excess("cancelled", "it was cancelled")
            if now >= next_check:
                excess = self.watcher.excess()
                self._note(clock.seconds())
                if excess is not None:
                    return excess
                next_check = clock.seconds() + INTERVAL
            if self._pump(min(next_check, limit) - clock.seconds()):
                return None

    def _note(self, seconds: float) -> None:
        if self.notes is None or seconds < self._next_note:
            return
        # Imported here, because the probe runs sandboxes with the standard library only.
        from mlebench.records.activity import RESOURCES

        self._next_note = seconds + (NOTE_INTERVAL if seconds > NOTE_INTERVAL else 1.0)
        # The agent may have filled the disk; that must not end the run in another way.
        with contextlib.suppress(OSError), self.notes.open("ab") as file:
            file.write(RESOURCES.encode(self.watcher.sample(seconds)))

    def _pump(self, seconds: float) -> bool:
        """Copy output to the log for some time; true when the sandbox has ended."""
        waiting = select.poll()
        waiting.register(self.pidfd, select.POLLIN)
        if self.output >= 0:
            waiting.register(self.output, select.POLLIN)
        ready = dict(waiting.poll(max(0.0, seconds) * 1000))
        if self.output in ready and _take(self.output, self.log) is False:
            self.output = -1
        return self.pidfd in ready

    def _pump_until_end(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while not has_ended(self.pidfd) and time.monotonic() < until:
            self._pump(0.05)

    def _ask_to_end(self) -> None:
        """Send SIGTERM to all processes and wait, so that they can save their work."""
        for pid in descendants(self.watcher.init):
            if pid not in self.spare:
                with contextlib.suppress(OSError):  # it has ended
                    os.kill(pid, signal.SIGTERM)
        self._pump_until_end(GRACE_SECONDS)


def _take(output: int, log: CappedLog) -> bool | None:
    """Copy what has arrived to the log; none if nothing has, false at the end of the output."""
    try:
        data = os.read(output, CHUNK)
    except BlockingIOError:
        return None
    if data:
        log.write(data)
    return bool(data)


def drain(output: int, log: CappedLog) -> None:
    """Copy what is left without waiting for the end: another process may hold the pipe open."""
    while output >= 0 and _take(output, log):
        pass
