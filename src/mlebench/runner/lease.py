"""Leases: one worker at a time has a run, even if machines stop answering and come back.

On one machine a kernel lock decides, which is free as soon as its holder is dead. Not every shared
file system passes such locks on, so between machines a worker also needs the next fencing token: it
creates the file `claim-<token>`, which only one can do, and only if the last holder has not renewed
its lease for `SILENCE_SECONDS`. The token is stored in `run.json`; a worker that finds a newer
one there writes nothing more. A holder that cannot renew its lease for `HOLD_SECONDS` ends its
agent by itself, so it is gone before another machine may begin.
"""

from __future__ import annotations

import fcntl
import os
import platform
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
from msgspec import structs

from mlebench.errors import DataError
from mlebench.records.folders import RunFolder
from mlebench.records.lease import LeaseRecord, encode_lease, read_lease
from mlebench.records.run import read_run, write_run

BEAT_SECONDS = 10.0
HOLD_SECONDS = 60.0
"""A holder that could not renew its lease for this long ends its agent."""
SILENCE_SECONDS = 120.0
"""After this long without a renewal, a worker on another machine counts as dead."""


class Lease:
    """A run that this process has; a thread renews the lease until it is released or lost."""

    def __init__(self, run: RunFolder, token: int) -> None:
        self.token = token
        self._run = run
        self._is_newer = False
        self._renewed = _since_boot()
        self._released = threading.Event()
        threading.Thread(target=self._renew, daemon=True).start()

    @property
    def is_lost(self) -> bool:
        """Whether another worker has the run, or may have it by now."""
        return self._is_newer or _since_boot() - self._renewed > HOLD_SECONDS

    def release(self) -> None:
        """Let others take the run at once."""
        self._released.set()
        with suppress(DataError, OSError):
            if read_lease(self._run.lease).token == self.token:
                os.truncate(self._run.lease, 0)

    def _renew(self) -> None:
        while not self._released.wait(BEAT_SECONDS):
            with suppress(DataError, OSError):
                start = _since_boot()
                self._is_newer = read_lease(self._run.lease).token != self.token
                if self._is_newer:
                    return
                os.utime(self._run.lease)
                self._renewed = start


@contextmanager
def leased(run: RunFolder) -> Iterator[Lease | None]:
    """The lease of a run; None if another worker has it."""
    with run.lease.open("ab") as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield None
            return
        token = _claim(run)
        if token is None:
            yield None
            return
        _fence(run, token)
        stream.truncate(0)
        stream.write(encode_lease(_this_process(token)))
        stream.flush()
        _claim_file(run, token).unlink(missing_ok=True)
        lease = Lease(run, token)
        try:
            yield lease
        finally:
            lease.release()


def has_living_worker(run: RunFolder) -> bool:
    """Whether the process that took the run last still lives, as far as this machine can tell."""
    try:
        return _is_alive(read_lease(run.lease), run.lease, time.time())
    except DataError:
        return False


def _claim(run: RunFolder) -> int | None:
    """The next fencing token; None while a worker on another machine may have the run.

    A winner records its token, then its lease, and only then removes its claim. So a machine
    that claims a later token afterwards sees one of them.
    """
    draft = run.path / f".claim-{platform.node()}-{os.getpid()}"
    try:
        draft.touch()
        # By the clock that stamps the files: machines of a cluster may disagree.
        now = draft.stat().st_mtime
        if _is_held_elsewhere(run, now):
            return None
        # This process has the machine's lock, so claims of this machine are of dead workers.
        for left in filter(_is_ours, run.path.glob("claim-*")):
            left.unlink(missing_ok=True)
        token = _newest_token(run) + 1
        claim = _claim_file(run, token)
        draft.write_bytes(encode_lease(_this_process(token)))
        try:
            _publish(draft, claim)
        except FileExistsError:
            return None
    finally:
        draft.unlink(missing_ok=True)
    if _is_held_elsewhere(run, now) or _newest_token(run) >= token:
        claim.unlink(missing_ok=True)
        return None
    return token


def _publish(draft: Path, claim: Path) -> None:
    """Create a claim with its content at once: an empty one would not tell its owner."""
    try:
        claim.hardlink_to(draft)
    except FileExistsError:
        raise
    except OSError:  # the file system has no hard links
        content = draft.read_bytes()
        with claim.open("xb") as stream:
            stream.write(content)


def _is_held_elsewhere(run: RunFolder, now: float) -> bool:
    """Whether another machine claims the run or has its lease; removes claims of dead workers."""
    for claim in run.path.glob("claim-*"):
        if _is_silent(claim, now):
            claim.unlink(missing_ok=True)
        elif not _is_ours(claim):
            return True
    try:
        last = read_lease(run.lease)
    except DataError:
        return False
    return last.host != platform.node() and _is_alive(last, run.lease, now)


def _newest_token(run: RunFolder) -> int:
    tokens = [0]
    with suppress(DataError):
        tokens.append(read_lease(run.lease).token)
    with suppress(DataError):
        tokens.append(read_run(run.state).fence)
    return max(tokens)


def _fence(run: RunFolder, token: int) -> None:
    """Record the token: from here on earlier holders write nothing."""
    with suppress(DataError):
        record = read_run(run.state)
        if not record.is_final:
            write_run(structs.replace(record, fence=token), run.state, syncs_folder=False)


def _claim_file(run: RunFolder, token: int) -> Path:
    return run.path / f"claim-{token}"


def _is_ours(claim: Path) -> bool:
    try:
        return read_lease(claim).host == platform.node()
    except DataError:
        return False


def _is_alive(lease: LeaseRecord, file: Path, now: float) -> bool:
    if lease.host != platform.node():
        return not _is_silent(file, now)
    try:
        process = psutil.Process(lease.pid)
        is_same = abs(process.create_time() - lease.process_started) < 1
        return is_same and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


def _is_silent(file: Path, now: float) -> bool:
    try:
        return now - file.stat().st_mtime > SILENCE_SECONDS
    except FileNotFoundError:
        return True


def _this_process(token: int) -> LeaseRecord:
    process = psutil.Process()
    return LeaseRecord(platform.node(), process.pid, process.create_time(), token)


def _since_boot() -> float:
    """Seconds that also pass while the machine is suspended."""
    return time.clock_gettime(time.CLOCK_BOOTTIME)
