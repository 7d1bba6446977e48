"""Leases: one worker at a time has a run, and others can tell whether it still lives."""

from __future__ import annotations

import fcntl
import os
import platform
import time
from collections.abc import Iterator
from contextlib import contextmanager

import psutil

from mlebench.errors import DataError
from mlebench.records.folders import RunFolder
from mlebench.records.lease import LeaseRecord, encode_lease, read_lease

BEAT_SECONDS = 10
SILENCE_SECONDS = 120
"""After so long without a sign of life a worker on another machine is taken for dead."""


@contextmanager
def leased(run: RunFolder) -> Iterator[bool]:
    """Whether the run is ours: an exclusive lock, released by the kernel when its holder dies."""
    with run.lease.open("ab") as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
            return
        process = psutil.Process()
        record = LeaseRecord(platform.node(), process.pid, process.create_time())
        stream.truncate(0)
        stream.write(encode_lease(record))
        stream.flush()
        yield True


class Heartbeat:
    """Called often while an agent runs; touches the lease now and then."""

    def __init__(self, run: RunFolder) -> None:
        self._run = run
        self._next = 0.0

    def __call__(self) -> None:
        now = time.monotonic()
        if now >= self._next:
            self._next = now + BEAT_SECONDS
            os.utime(self._run.lease)


def has_living_worker(run: RunFolder) -> bool:
    """Whether the process that took the run last still lives, as far as this machine can tell."""
    try:
        lease = read_lease(run.lease)
    except DataError:
        return False
    if lease.host != platform.node():
        return time.time() - run.lease.stat().st_mtime < SILENCE_SECONDS
    try:
        process = psutil.Process(lease.pid)
        is_same = abs(process.create_time() - lease.process_started) < 1
        return is_same and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False
