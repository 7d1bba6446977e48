"""`lease`: which process works on a run; a lock on the same file decides, this only tells."""

from __future__ import annotations

from pathlib import Path

import msgspec

from mlebench.records.codec import RecordFormat, encode

SCHEMA = 1


class LeaseRecord(msgspec.Struct, frozen=True):
    """The process that took a run last."""

    host: str = ""
    pid: int = 0
    process_started: float = 0.0
    """When that process started, so that a reused process id is not taken for it."""

    schema: int = SCHEMA


_LEASE = RecordFormat(LeaseRecord, SCHEMA)


def read_lease(path: Path) -> LeaseRecord:
    """Who took the run; raises DataError if no one did, or if the file is damaged."""
    return _LEASE.read(path)


def encode_lease(record: LeaseRecord) -> bytes:
    """The content of the file, for a writer that holds it open and locked."""
    return encode(record)
