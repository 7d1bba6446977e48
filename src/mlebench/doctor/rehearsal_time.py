"""Forecasts disk and time of preparing rehearsal data, with a yardstick measured on this machine.

The sizes are measured (`catalogue/rehearsal_sizes.json`). Time is modelled as a share of the
processor time that was measured once, plus a time for each file, which depends on the disk; both
are found by preparing a few small competitions in a temporary folder beside the data, three times,
because a disk that others use is fast in one second and slow in the next.
"""

from __future__ import annotations

import math
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from mlebench.catalogue import Catalogue
from mlebench.catalogue.sizes import rehearsal_sizes
from mlebench.doctor.check import Check
from mlebench.doctor.disk import GB, free_bytes
from mlebench.preparing.prepare import Rehearsal, prepare

Clock = Callable[[], float]
FEW_FILES = (
    "leaf-classification",
    "new-york-city-taxi-fare-prediction",
    "stanford-covid-vaccine",
    "ventilator-pressure-prediction",
    "spaceship-titanic",
)
LIBRARIES = "import pandas, pyarrow.parquet, sklearn.model_selection, mlebench.preparing.pipeline"
MANY_FILES = ("mlsp-2013-birds",)
ROUNDS = 3
SMALL_SECONDS = 2.0
"""Less than this, on the machine that measured the sizes, is forecast with a quick yardstick."""

STEADY = 1.2
"""A forecast is stated as a range where the slowest round is so many times the fastest."""


@dataclass(frozen=True)
class Speed:
    """How fast this machine prepares rehearsal data."""

    start_seconds: float
    """To load the libraries, once per process."""

    per_cpu_second: float
    """Seconds here for a second of the machine that measured the sizes."""

    per_file: float
    """Seconds for each file, beyond its share of the processor time."""

    def seconds(self, ids: Sequence[str], *, jobs: int = 1, scale: int = 1) -> float:
        """Wall time for these competitions; one competition is not divided among jobs."""
        known = rehearsal_sizes()
        each = [
            scale * (self.per_cpu_second * known[i].cpu_seconds + self.per_file * known[i].files)
            for i in ids
            if i in known
        ]
        return self.start_seconds + max(sum(each) / jobs, max(each, default=0))


def measure_speeds(
    data_dir: Path, clock: Clock = time.perf_counter, *, is_quick: bool = False
) -> list[Speed]:
    """Prepare a few competitions several times where the data will be; takes seconds.

    Args:
        clock: of wall time, or `processor_seconds`.
        is_quick: one round.
    """
    place = data_dir.absolute()
    existing = next(folder for folder in (place, *place.parents) if folder.exists())
    with tempfile.TemporaryDirectory(prefix=".mlebench-yardstick-", dir=existing) as name:
        folder = Path(name)
        _timed(FEW_FILES, folder, clock)  # Loads the libraries.
        measured = [
            (_timed(FEW_FILES, folder, clock), _timed(MANY_FILES, folder, clock))
            for _ in range(1 if is_quick else ROUNDS)
        ]
    start = _start_seconds(clock)
    found = []
    for few_seconds, many_seconds in measured:
        per_cpu = few_seconds / _sum("cpu_seconds", FEW_FILES)
        rest = many_seconds - per_cpu * _sum("cpu_seconds", MANY_FILES)
        # On a disk in memory files cost no more than their processor time: there it is noise.
        found.append(Speed(start, per_cpu, rest / _sum("files", MANY_FILES)))
    return found


def processor_seconds() -> float:
    """Processor time of this process and its ended children: some archives are packed by one."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + ended.ru_utime + ended.ru_stime


def _start_seconds(clock: Clock) -> float:
    """How long a worker takes to start and to load its libraries."""
    start = clock()
    subprocess.run([sys.executable, "-c", LIBRARIES], check=True)
    return clock() - start


def _sum(name: str, ids: Sequence[str]) -> float:
    return float(sum(getattr(rehearsal_sizes()[i], name) for i in ids))


def _timed(ids: Sequence[str], folder: Path, clock: Clock) -> float:
    # Nothing is removed before the last round: some disks take long, and meanwhile all else waits.
    catalogue = Catalogue(Path(tempfile.mkdtemp(dir=folder)))
    competitions = [catalogue.get_competition(i) for i in ids]
    start = clock()
    for competition in competitions:
        prepare(competition, Rehearsal())
    return clock() - start


def rehearsal_checks(
    ids: Sequence[str], data_dir: Path, *, jobs: int, scale: int, speeds: Sequence[Speed] = ()
) -> list[Check]:
    """Disk and time of rehearsal data; `ok` only if all sizes are known and fit.

    Args:
        speeds: as measured before; by default measured now.
    """
    known = rehearsal_sizes()
    unknown = [name for name in ids if name not in known]
    checks = [
        Check("disk", "warn", "the size of its rehearsal data is unknown", competition_id=name)
        for name in unknown
    ]
    if len(unknown) == len(ids):
        return [*checks, Check("time", "warn", "the time that preparing takes is unknown")]
    sizes = [known[name].disk_bytes * scale for name in ids if name in known]
    wanted = sum(sizes)
    # The raw data of the competitions being prepared is on disk for a while.
    most = wanted + sum(sorted(sizes)[-jobs:])
    free = free_bytes(data_dir)
    reason = (
        f"rehearsal data of {len(sizes)} competitions needs {wanted / GB:,.3f} GB,"
        f" {most / GB:,.3f} GB at its peak; {free / GB:,.1f} GB are free in {data_dir}"
    )
    exact = scale == 1 and not unknown
    checks.append(Check("disk", "fail" if most > free else "ok" if exact else "warn", reason))
    work = sum(known[name].cpu_seconds * scale for name in ids if name in known)
    speeds = speeds or measure_speeds(data_dir, is_quick=work < SMALL_SECONDS)
    seconds = [speed.seconds(ids, jobs=jobs, scale=scale) for speed in speeds]
    about = f"preparing takes {describe_seconds(seconds)} with -j {jobs}"
    return [*checks, Check("time", "ok" if exact else "warn", f"{about}, by a yardstick here")]


def describe_seconds(forecasts: Sequence[float]) -> str:
    """`about 12 s`, or a range where the rounds of the yardstick disagree."""
    about = f"about {math.ceil(statistics.median(forecasts)):,} s"
    low, high = min(forecasts), max(forecasts)
    if high <= STEADY * low:
        return about
    return f"{about} ({math.floor(low):,} to {math.ceil(high):,}; disk or processor are busy)"
