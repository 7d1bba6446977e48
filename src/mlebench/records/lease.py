"""`lease` and `claim-<token>`: the process that works on a run, and its fencing token."""

from __future__ import annotations

import msgspec

from mlebench.records.codec import RecordFormat, encode

SCHEMA = 1


class LeaseRecord(msgspec.Struct, frozen=True):
    """The process that took a run last."""

    host: str = ""
    pid: int = 0
    process_started: float = 0.0
    """When that process started, so that a reused process id is not taken for it."""

    token: int = 0
    """Grows each time the run is taken; a worker whose token is not the newest has lost the run."""

    schema: int = SCHEMA


read_lease = RecordFormat(LeaseRecord, SCHEMA).read
encode_lease = encode
