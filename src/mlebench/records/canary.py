"""`canary.json`: the random id that was planted beside the answers during a run."""

from __future__ import annotations

import msgspec

from mlebench.records.codec import RecordFormat

SCHEMA = 1


class CanaryRecord(msgspec.Struct, frozen=True):
    """An id that only a reader of the files beside the answers knows."""

    id: str
    places: tuple[str, ...] = ()
    """Names of the decoys, without the folders of this machine."""

    schema: int = SCHEMA


_FORMAT = RecordFormat(CanaryRecord, SCHEMA)
write_canary = _FORMAT.write
read_canary = _FORMAT.try_read
"""The canary of a run; None if it had none or the file is damaged."""
