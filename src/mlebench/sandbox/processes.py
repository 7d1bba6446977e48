"""Processes seen from outside: trees, start times, and ends that hit nobody else."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Identity:
    """A process that can be told from a later one with the same number."""

    pid: int
    start: int
    """Clock ticks between boot and its start."""

    boot: str


def boot_id() -> str:
    return Path("/proc/sys/kernel/random/boot_id").read_text().strip()


def start_time(pid: int) -> int | None:
    """When it started, in clock ticks since boot; none if it is gone."""
    fields = _stat(pid)
    return int(fields[19]) if fields and fields[0] != "Z" else None


def _stat(pid: int) -> list[str] | None:
    """The fields of /proc/PID/stat after the name, which may contain anything."""
    try:
        text = Path(f"/proc/{pid}/stat").read_bytes()
    except OSError:
        return None
    return text.rpartition(b")")[2].decode("ascii", "replace").split()


def identify(pid: int) -> Identity | None:
    start = start_time(pid)
    return None if start is None else Identity(pid, start, boot_id())


@contextmanager
def held(identity: Identity) -> Iterator[int | None]:
    """A descriptor of just this process, or none if it is gone or its number was used again."""
    try:
        descriptor = os.pidfd_open(identity.pid)
    except OSError:
        yield None
        return
    try:
        # Looked at after opening: from here on the number cannot change hands.
        same = start_time(identity.pid) == identity.start and boot_id() == identity.boot
        yield descriptor if same else None
    finally:
        os.close(descriptor)


def is_over(descriptor: int, seconds: float = 0.0) -> bool:
    """Whether the process behind a pidfd has ended, waiting for at most some seconds."""
    waiting = select.poll()
    waiting.register(descriptor, select.POLLIN)
    return bool(waiting.poll(seconds * 1000))


def send(descriptor: int, number: int) -> None:
    with contextlib.suppress(OSError):  # gone already
        signal.pidfd_send_signal(descriptor, number)


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


def end_tree(root: Identity, seconds: float = 10.0) -> bool:
    """Kill a process and everything below it; true if nothing of it is left."""
    until = time.monotonic() + seconds
    with held(root) as descriptor:
        if descriptor is None:
            return True
        while below := descendants(root.pid):
            for pid in below:
                with contextlib.suppress(OSError):
                    os.kill(pid, signal.SIGKILL)
            if time.monotonic() > until:
                break
            time.sleep(0.01)
        send(descriptor, signal.SIGKILL)
        return is_over(descriptor, max(0.0, until - time.monotonic()))
