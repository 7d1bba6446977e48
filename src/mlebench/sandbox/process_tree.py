"""Identify and kill processes; a process that reuses a PID is never killed."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

import psutil

from mlebench.sandbox.procfs import boot_id, descendants, has_variable, start_time

KILL_SECONDS = 10.0


@dataclass(frozen=True)
class Identity:
    """A process, distinguished from a later one with the same PID."""

    pid: int
    start: int
    """Clock ticks between boot and its start."""

    boot: str


def identify(pid: int) -> Identity | None:
    """The identity of a living process; None if it has ended."""
    start = start_time(pid)
    return None if start is None else Identity(pid, start, boot_id())


def read_identity(facts: Mapping[str, object], name: str) -> Identity | None:
    """An identity that was stored with `vars` in the facts given to `on_start`."""
    known = facts.get(name)
    if not isinstance(known, Mapping):
        return None
    return Identity(int(known["pid"]), int(known["start"]), str(known["boot"]))


@contextmanager
def open_pidfd(identity: Identity) -> Iterator[int | None]:
    """A pidfd of exactly this process; None if it has ended or its PID was reused."""
    try:
        pidfd = os.pidfd_open(identity.pid)
    except OSError:
        yield None
        return
    try:
        # Compared after opening: from here on the PID cannot be reused.
        is_same = start_time(identity.pid) == identity.start and boot_id() == identity.boot
        yield pidfd if is_same else None
    finally:
        os.close(pidfd)


def has_ended(pidfd: int, seconds: float = 0.0) -> bool:
    """Whether the process of a pidfd has ended, after waiting for at most some seconds."""
    waiting = select.poll()
    waiting.register(pidfd, select.POLLIN)
    return bool(waiting.poll(seconds * 1000))


def send_signal(pidfd: int, number: int) -> None:
    with contextlib.suppress(OSError):  # it has ended
        signal.pidfd_send_signal(pidfd, number)


def kill_tree(root: Identity) -> bool:
    """Kill a process and everything below it; true if nothing of it is left."""
    until = time.monotonic() + KILL_SECONDS
    with open_pidfd(root) as pidfd:
        if pidfd is None:
            return True
        while below := descendants(root.pid):
            for pid in below:
                with contextlib.suppress(OSError):
                    os.kill(pid, signal.SIGKILL)
            if time.monotonic() > until:
                break
            time.sleep(0.01)
        send_signal(pidfd, signal.SIGKILL)
        return has_ended(pidfd, max(0.0, until - time.monotonic()))


def kill_marked(variable: str, mark: str) -> None:
    """Kill every process that was started with this environment variable, orphans included."""
    for _ in range(20):
        found = [
            pid for pid in psutil.pids() if pid != os.getpid() and has_variable(pid, variable, mark)
        ]
        if not found:
            return
        for pid in found:
            with contextlib.suppress(OSError):
                pidfd = os.pidfd_open(pid)
                if has_variable(pid, variable, mark):
                    send_signal(pidfd, signal.SIGKILL)
                os.close(pidfd)
        time.sleep(0.02)


def kill_child(process: subprocess.Popen[bytes]) -> None:
    """Kill our own child process, if it is still alive, and collect its exit status."""
    if process.poll() is None:
        process.kill()
    process.wait()
