"""Named resources for a run, so that results made with the same ones can be compared."""

from __future__ import annotations

import os
from dataclasses import dataclass

from mlebench.errors import UnknownNameError, unknown

GB = 10**9


@dataclass(frozen=True)
class Profile:
    """What one run gets."""

    name: str
    description: str
    hours: float
    cpus: float | None = None
    memory_bytes: int | None = None
    gpus: int = 0
    disk_bytes: int | None = None
    processes: int | None = 4096
    shm_bytes: int | None = None


def local_profile() -> Profile:
    """A share of this machine that leaves it usable."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return Profile(
        "local",
        "half of this machine's memory, all its CPUs, no GPU, 1 hour",
        hours=1,
        cpus=os.cpu_count(),
        memory_bytes=memory // 2,
        disk_bytes=50 * GB,
        shm_bytes=memory // 8,
    )


PUBLISHED = Profile(
    "published",
    "as in the publication: 36 vCPU, 440 GB, one 24 GB GPU, 24 hours",
    hours=24,
    cpus=36,
    memory_bytes=440 * GB,
    gpus=1,
    disk_bytes=4000 * GB,
    shm_bytes=64 * GB,
)
SMALL = Profile(
    "small",
    "for a laptop: 2 CPUs, 4 GB, 10 minutes",
    hours=1 / 6,
    cpus=2,
    memory_bytes=4 * GB,
    disk_bytes=10 * GB,
    shm_bytes=GB,
)


def get_profile(name: str) -> Profile:
    """A profile by its name."""
    known = {p.name: p for p in (local_profile(), PUBLISHED, SMALL)}
    if name not in known:
        raise UnknownNameError(unknown("profile", name, list(known)))
    return known[name]
