"""Wait for the end of a sandbox, or bring it about: output, deadline, limits, cancellation."""

from __future__ import annotations

import contextlib
import fcntl
import os
import select
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from mlebench.errors import SandboxError
from mlebench.records.activity import RESOURCES
from mlebench.sandbox.base import EndedBy
from mlebench.sandbox.output import CHUNK, CappedLog
from mlebench.sandbox.processes import descendants, is_over, send
from mlebench.sandbox.watch import INTERVAL, Watcher

GRACE_SECONDS = 3.0
CANCEL_INTERVAL = 1.0
PIPE_BYTES = 1 << 20
NOTE_INTERVAL = 10.0
END_SECONDS = 30.0


@dataclass(frozen=True)
class Ending:
    """Why a sandbox ended, and when."""

    ended_by: EndedBy
    reason: str
    seconds: float
    suspended_seconds: float


class RunClock:
    """Time since the start, and how much of it the machine slept."""

    def __init__(self) -> None:
        self._start = time.monotonic()
        self._boot = time.clock_gettime(time.CLOCK_BOOTTIME)

    def seconds(self) -> float:
        return time.monotonic() - self._start

    def suspended(self) -> float:
        gone = time.clock_gettime(time.CLOCK_BOOTTIME) - self._boot
        return round(max(0.0, gone - self.seconds()), 1)


@dataclass
class Supervisor:
    """One wait, in the thread that started the sandbox."""

    pidfd: int
    """A pidfd that becomes readable when nothing of the sandbox is alive."""

    output: int
    log: CappedLog
    watcher: Watcher
    is_cancelled: Callable[[], bool]
    kill: Callable[[], None]
    """Ends every process of the sandbox, whatever they think of it."""

    spare: tuple[int, ...] = ()
    """Processes of ours in the sandbox, which the polite signal does not reach."""

    grace: float = GRACE_SECONDS
    notes: Path | None = None
    """A file for what the run uses over time, one JSON line every few seconds."""

    _next_note: float = 0.0

    def wait(self) -> Ending:
        """Return when the sandbox is empty."""
        clock = RunClock()
        _prepare(self.output)
        ended_by: EndedBy = "exit"
        reason = "it ended by itself"
        found = self._wait_for_cause(clock)
        if found is None:
            # The kernel may have killed one of them between two looks of ours.
            if excess := self.watcher.excess():
                ended_by, reason = excess.ended_by, excess.reason
        else:
            ended_by, reason = found
            if ended_by in ("time", "cancelled"):
                self._ask_to_end()
            self.kill()
            self._pump_until(lambda: is_over(self.pidfd), seconds=END_SECONDS)
            if not is_over(self.pidfd):
                raise SandboxError(f"the sandbox could not be ended within {END_SECONDS:g} seconds")
        drain(self.output, self.log)
        return Ending(ended_by, reason, clock.seconds(), clock.suspended())

    def _wait_for_cause(self, clock: RunClock) -> tuple[EndedBy, str] | None:
        limit = self.watcher.limits.wall_seconds
        next_check = 0.0
        next_cancel = 0.0
        while True:
            now = clock.seconds()
            if now >= limit:
                return "time", f"its {limit:g} seconds were over"
            if now >= next_cancel:
                next_cancel = now + CANCEL_INTERVAL
                if self.is_cancelled():
                    return "cancelled", "it was cancelled"
            if now >= next_check:
                excess = self.watcher.excess()
                self._note(clock.seconds())
                if excess is not None:
                    return excess.ended_by, excess.reason
                next_check = clock.seconds() + INTERVAL
            if self._pump(min(next_check, limit) - clock.seconds()):
                return None

    def _note(self, seconds: float) -> None:
        if self.notes is None or seconds < self._next_note:
            return
        self._next_note = seconds + NOTE_INTERVAL
        with self.notes.open("ab") as file:
            file.write(RESOURCES.encode(self.watcher.sample(seconds)))

    def _pump(self, seconds: float) -> bool:
        """Take output for a while; true when the sandbox is over."""
        waiting = select.poll()
        waiting.register(self.pidfd, select.POLLIN)
        if self.output >= 0:
            waiting.register(self.output, select.POLLIN)
        ready = dict(waiting.poll(max(0.0, seconds) * 1000))
        if self.output in ready and not _take(self.output, self.log):
            self.output = -1
        return self.pidfd in ready

    def _pump_until(self, done: Callable[[], bool], seconds: float) -> None:
        until = time.monotonic() + seconds
        while not done() and time.monotonic() < until:
            self._pump(0.05)

    def _ask_to_end(self) -> None:
        """TERM to all of them, and a moment to write down what they have."""
        for pid in descendants(self.watcher.init):
            if pid not in self.spare:
                with contextlib.suppress(OSError):
                    descriptor = os.pidfd_open(pid)
                    send(descriptor, signal.SIGTERM)
                    os.close(descriptor)
        self._pump_until(lambda: is_over(self.pidfd), seconds=self.grace)


def _prepare(output: int) -> None:
    os.set_blocking(output, False)
    with contextlib.suppress(OSError):  # a user may have used up the total for pipes
        fcntl.fcntl(output, fcntl.F_SETPIPE_SZ, PIPE_BYTES)


def _take(output: int, log: CappedLog) -> bool:
    """Move what is there into the log; false at the end of the output."""
    try:
        data = os.read(output, CHUNK)
    except BlockingIOError:
        return True
    if data:
        log.write(data)
    return bool(data)


def drain(output: int, log: CappedLog) -> None:
    """Take what is left without waiting for an end that a stranger may hold open."""
    while output >= 0:
        try:
            data = os.read(output, CHUNK)
        except (BlockingIOError, OSError):
            return
        if not data:
            return
        log.write(data)
