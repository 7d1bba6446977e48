"""`canary.json`: the random id that was planted beside the answers during a run."""

from __future__ import annotations

from pathlib import Path

import msgspec

from mlebench.errors import DataError
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


def read_canary(path: Path) -> CanaryRecord | None:
    """The canary of a run; None if it had none or the file is damaged."""
    try:
        return _FORMAT.read(path)
    except DataError:
        return None
