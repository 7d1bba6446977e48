"""Events of a run, one entry per line: validation calls, resources over time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec
from msgspec.structs import replace

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
    """Since this start of the agent; see `read_samples`."""

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


def read_samples(data: bytes, begins: Sequence[float] = ()) -> Iterator[ResourceSample]:
    """The samples of a run in order; clock and processor time continue over the agent's starts.

    Args:
        begins: the seconds at which each start began, if known; else one follows the other.
    """
    offset = begins[0] if begins else 0.0
    cpu, start, last = 0.0, 0, None
    for sample in RESOURCES.decode(data):
        if last is not None and sample.seconds < last.seconds:
            start += 1
            offset = begins[start] if start < len(begins) else offset + last.seconds
            cpu += last.cpu_seconds or 0.0
        last = sample
        used = None if sample.cpu_seconds is None else sample.cpu_seconds + cpu
        yield replace(sample, seconds=sample.seconds + offset, cpu_seconds=used)
