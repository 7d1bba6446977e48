"""`weights.json`: files of model weights that the agents of a group could read from the start."""

from __future__ import annotations

import msgspec

from mlebench.records.codec import RecordFormat

SCHEMA = 1


class WeightFile(msgspec.Struct, frozen=True):
    """A file of weights as the agent sees it."""

    place: str
    """Inside the sandbox, such as `/opt/packages/net/model.safetensors`."""

    bytes: int
    sha256: str


class WeightsRecord(msgspec.Struct, frozen=True):
    """All weights in the agent's libraries and in its own folder."""

    files: tuple[WeightFile, ...] = ()
    schema: int = SCHEMA


_FORMAT = RecordFormat(WeightsRecord, SCHEMA)
write_weights = _FORMAT.write
read_weights = _FORMAT.try_read
"""The weights of a group; None if they were not recorded."""
