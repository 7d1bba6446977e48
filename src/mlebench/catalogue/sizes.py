"""How large the data of a competition is: as Kaggle states it, an estimated range, a rehearsal's.

`dataset_gb` of a definition is the size of the unpacked files that Kaggle's page states. For the
others `estimated_sizes.json` has a range and its reason; the middles of the ranges and the stated
sizes of the 75 competitions add up to 3.35 TB, the published benchmark states 3.3 TB.
`rehearsal_sizes.json` is measured by `scripts/make_sizes.py`.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec

from mlebench.definition import CompetitionDefinition

HERE = Path(__file__).parent
GB = 1e9


class DataSize(msgspec.Struct, frozen=True):
    """Bytes of the unpacked raw data, from the least to the most."""

    low: float
    high: float
    why: str
    """`stated by Kaggle`, or the reason for the range."""

    @property
    def is_stated(self) -> bool:
        return self.low == self.high


class RehearsalSize(msgspec.Struct, frozen=True):
    """What preparing rehearsal data of scale 1 writes, and the processor time it takes."""

    bytes: int
    files: int
    disk_bytes: int
    """In blocks of 4 KiB, as most file systems store small files."""

    raw_disk_bytes: int
    """The archive of the raw data, which is removed afterwards."""

    cpu_seconds: float
    """On the machine that measured it."""


class _Estimate(msgspec.Struct, frozen=True):
    low_gb: float
    high_gb: float
    why: str


def find_data_size(definition: CompetitionDefinition) -> DataSize | None:
    """The size of the raw data; None for a competition of which nothing is known."""
    if definition.dataset_gb is not None:
        size = definition.dataset_gb * GB
        return DataSize(size, size, "stated by Kaggle")
    if (found := _estimates().get(definition.id)) is None:
        return None
    return DataSize(found.low_gb * GB, found.high_gb * GB, f"estimated: {found.why}")


@cache
def rehearsal_sizes() -> dict[str, RehearsalSize]:
    """Of every competition that has rehearsal data in the package."""
    data = (HERE / "rehearsal_sizes.json").read_bytes()
    return msgspec.json.decode(data, type=dict[str, RehearsalSize])


@cache
def _estimates() -> dict[str, _Estimate]:
    data = (HERE / "estimated_sizes.json").read_bytes()
    return msgspec.json.decode(data, type=dict[str, _Estimate])
