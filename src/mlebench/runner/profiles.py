"""Named resources for a run, so that results made with the same ones can be compared."""

from __future__ import annotations

import os
from dataclasses import dataclass

from mlebench.errors import UnknownNameError, unknown
from mlebench.records.group import GrantedLimits

GB = 10**9
PROCESSES = 4096


@dataclass(frozen=True)
class Profile:
    """What one run gets."""

    name: str
    hours: float
    limits: GrantedLimits


def local_profile() -> Profile:
    """Half of the memory and all CPUs of this machine, no GPU, 1 hour: the machine stays usable."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    limits = GrantedLimits(
        cpus=os.cpu_count(),
        memory_bytes=memory // 2,
        processes=PROCESSES,
        disk_bytes=50 * GB,
        shm_bytes=memory // 8,
    )
    return Profile("local", 1, limits)


PUBLISHED = Profile(
    "published",
    24,
    GrantedLimits(
        cpus=36,
        memory_bytes=440 * GB,
        processes=PROCESSES,
        disk_bytes=4000 * GB,
        shm_bytes=64 * GB,
        gpus=1,
    ),
)
"""As in the publication; the GPU there has 24 GB."""

SMALL = Profile(
    "small",
    1 / 6,
    GrantedLimits(
        cpus=2, memory_bytes=4 * GB, processes=PROCESSES, disk_bytes=10 * GB, shm_bytes=GB
    ),
)
"""For a laptop."""


def get_profile(name: str) -> Profile:
    """A profile by its name."""
    known = {p.name: p for p in (local_profile(), PUBLISHED, SMALL)}
    if name not in known:
        raise UnknownNameError(unknown("profile", name, list(known)))
    return known[name]
