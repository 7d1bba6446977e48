"""Forecasts disk and time of preparing rehearsal data, with a yardstick measured on this machine.

The sizes are measured (`catalogue/rehearsal_sizes.json`). Time is modelled as a share of the
processor time that was measured once, plus a time for each competition, whose data is synchronised
to the disk, plus a time for each file that is written. All three are fitted to a few small
competitions. As many processes as will prepare at once prepare them in a temporary folder beside
the data, so processors and disk are shared as they will be; several times, because a disk that
others use is fast in one second and slow in the next. They have few files, because some file
systems create files slowly near those that were deleted minutes ago.
"""

from __future__ import annotations

import heapq
import json
import math
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from mlebench.catalogue import Catalogue
from mlebench.catalogue.sizes import rehearsal_sizes
from mlebench.doctor.check import Check
from mlebench.doctor.disk import GB, free_bytes, nearest_folder
from mlebench.preparing.prepare import Rehearsal, prepare

SMALL = (
    "aerial-cactus-identification",
    "billion-word-imputation",
    "cdiscount-image-classification-challenge",
    "chaii-hindi-and-tamil-question-answering",
    "detecting-insults-in-social-commentary",
    "icecube-neutrinos-in-deep-ice",
    "leaf-classification",
    "new-york-city-taxi-fare-prediction",
    "ranzcr-clip-catheter-line-classification",
    "spaceship-titanic",
    "stanford-covid-vaccine",
    "tweet-sentiment-extraction",
    "ventilator-pressure-prediction",
)
WORKER = (
    "import sys, pandas, PIL.Image, pyarrow.parquet, sklearn.model_selection\n"
    "import mlebench.preparing.pipeline, mlebench.doctor.rehearsal_time as yardstick\n"
    "print(yardstick.time_sample(*sys.argv[1:]))\n"
)
ROUNDS = 3
"""With one job; several measure as much at once."""

SMALL_SECONDS = 2.0
"""Less than this, on the machine that measured the sizes, is forecast with a quick yardstick."""

STEADY = 1.2
"""The longest forecast is stated, too, if the slowest round takes this many times the fastest."""


@dataclass(frozen=True)
class Speed:
    """How fast this machine prepares rehearsal data with as many jobs as it was measured with."""

    start_seconds: float
    """To load the libraries, once per process."""

    per_cpu_second: float
    """Seconds here for a second of the machine that measured the sizes."""

    per_competition: float
    """Seconds for each competition, whatever its size."""

    per_file: float
    """Seconds for each file, beyond its share of the processor time."""

    def seconds(self, ids: Sequence[str], *, jobs: int = 1, scale: int = 1) -> float:
        """Wall time for these competitions; each goes to the job that is free first."""
        known = rehearsal_sizes()
        busy_until = [self.start_seconds] * jobs
        for size in (known[i] for i in ids if i in known):
            cost = self.per_cpu_second * size.cpu_seconds + self.per_file * size.files
            end = busy_until[0] + self.per_competition + scale * cost
            heapq.heapreplace(busy_until, end)
        return max(busy_until)


def measure_speeds(
    data_dir: Path, *, jobs: int = 1, is_quick: bool = False, in_processor_time: bool = False
) -> list[Speed]:
    """Prepare a few competitions where the data will be, several times; takes seconds.

    Args:
        jobs: processes at once.
        is_quick: one round.
    """
    from scipy.optimize import nnls

    place = nearest_folder(data_dir)
    rounds = 1 if is_quick else math.ceil(ROUNDS / jobs)
    with tempfile.TemporaryDirectory(prefix=".mlebench-yardstick-", dir=place) as folder:
        start = time.monotonic()
        workers = [
            subprocess.Popen(
                [sys.executable, "-c", WORKER, f"{folder}/{number}", str(start), str(rounds)],
                stdout=subprocess.PIPE,
            )
            for number in range(jobs)
        ]
        answers = [json.loads(worker.communicate()[0]) for worker in workers]
    column = 1 if in_processor_time else 0
    sizes = [rehearsal_sizes()[i] for i in SMALL] * jobs
    costs = [[size.cpu_seconds, 1.0, size.files] for size in sizes]
    speeds = []
    for number in range(1, rounds + 1):
        measured = [times[column] for answer in answers for times in answer["rounds"][number]]
        start_seconds = max(answer["start"][column] for answer in answers)
        speeds.append(Speed(start_seconds, *map(float, nnls(costs, measured)[0])))
    return speeds


def time_sample(folder: str, start: str, rounds: str) -> str:
    """In a worker: JSON with seconds on the clock and of processor time.

    In a round before the others, whatever is loaded or compiled at its first use adds to the start.
    """
    loaded = time.monotonic() - float(start), processor_seconds()
    # Nothing is removed before the last round: some disks take long, and meanwhile all else waits.
    found = [_time_round(Path(folder) / str(number)) for number in range(int(rounds) + 1)]
    first, second = (_sum(times) for times in found[:2])
    start_times = [loaded[k] + max(first[k] - second[k], 0) for k in (0, 1)]
    return json.dumps({"start": start_times, "rounds": found})


def _time_round(folder: Path) -> list[tuple[float, float]]:
    catalogue = Catalogue(folder)
    times = []
    for competition_id in SMALL:
        begin = time.monotonic(), processor_seconds()
        prepare(catalogue.get_competition(competition_id), Rehearsal())
        times.append((time.monotonic() - begin[0], processor_seconds() - begin[1]))
    return times


def _sum(times: Sequence[tuple[float, float]]) -> tuple[float, float]:
    return sum(wall for wall, _ in times), sum(work for _, work in times)


def processor_seconds() -> float:
    """Processor time of this process and its ended children: some archives are packed by one."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + ended.ru_utime + ended.ru_stime


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
    sizes = [known[name] for name in ids if name in known]
    wanted = sum(size.disk_bytes * scale for size in sizes)
    # The raw data of the competitions being prepared is on disk for a while.
    most = wanted + sum(sorted(size.raw_disk_bytes * scale for size in sizes)[-jobs:])
    free = free_bytes(data_dir)
    reason = (
        f"rehearsal data of {len(sizes)} competitions needs {wanted / GB:,.3f} GB,"
        f" {most / GB:,.3f} GB at its peak; {free / GB:,.1f} GB are free in {data_dir}"
    )
    exact = scale == 1 and not unknown
    checks.append(Check("disk", "fail" if most > free else "ok" if exact else "warn", reason))
    work = sum(size.cpu_seconds * scale for size in sizes)
    used = min(jobs, len(sizes))
    speeds = speeds or measure_speeds(data_dir, jobs=used, is_quick=work < SMALL_SECONDS)
    seconds = [speed.seconds(ids, jobs=used, scale=scale) for speed in speeds]
    about = f"preparing takes {describe_seconds(seconds)} with -j {jobs}"
    return [*checks, Check("time", "ok" if exact else "warn", f"{about}, by a yardstick here")]


def describe_seconds(forecasts: Sequence[float]) -> str:
    """`about 12 s`, with the longest where the rounds of the yardstick disagree.

    What disturbs a round makes it longer, so the shortest one is the best forecast.
    """
    low, high = min(forecasts), max(forecasts)
    about = f"about {math.ceil(low):,} s"
    if high <= STEADY * low:
        return about
    return f"{about} (up to {math.ceil(high):,}; disk or processor are busy)"
