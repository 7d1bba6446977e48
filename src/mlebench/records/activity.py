"""Events of a run, one entry per line: validation calls, resources over time."""

from __future__ import annotations

import msgspec

from mlebench.records.codec import LineFormat
from mlebench.records.run import Number


class ValidationCall(msgspec.Struct, frozen=True):
    """A line of `validations.jsonl`: a submission that the agent had checked."""

    elapsed: Number
    """Seconds since the run started."""

    valid: bool = False
    reason: str | None = None
    """Why it is not valid, as the agent saw it."""

    size: int | None = None
    sha256: str | None = None
    time: str | None = None
    seconds: Number | None = None
    """How long the check took."""


class ResourceSample(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of `resources.jsonl`: what a run used at one moment."""

    seconds: Number
    """Since the run started."""

    cpu_seconds: Number | None = None
    memory_bytes: Number | None = None
    disk_bytes: Number | None = None
    processes: int | None = None
    gpu_percent: Number | None = None
    """Mean utilisation of the leased GPUs."""

    gpu_memory_bytes: Number | None = None
    gpu_watts: Number | None = None


VALIDATIONS = LineFormat(ValidationCall)
RESOURCES = LineFormat(ResourceSample)
