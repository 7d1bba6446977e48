"""Forecast and real time of preparing the rehearsal data of all 82 competitions, on any disk.

    python benchmarks/rehearsal_time.py                    # in the folder for temporary files
    python benchmarks/rehearsal_time.py --folder /data -j 2

Twice, each time in a new folder; with --cold the page cache is empty at the start, which needs
root. The bound: wall time and disk are within 20 % of what was forecast before. On a disk that
others use the forecast after it is printed for comparison. ext4 without a journal creates files
many times more slowly for five minutes after thousands were deleted nearby: wait before a second
call.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

from mlebench.catalogue import Catalogue
from mlebench.catalogue.layout import published_ids
from mlebench.catalogue.sizes import rehearsal_sizes
from mlebench.doctor.rehearsal_time import describe_seconds, measure_speeds
from mlebench.preparing.options import PrepareOptions, Rehearsal
from mlebench.preparing.pipeline import PreparationTask, prepare_many

BOUND = 0.2


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("-j", "--jobs", type=int, default=1)
    parser.add_argument("--cold", action="store_true")
    asked = parser.parse_args()
    is_fine = True
    if asked.cold:
        os.sync()
        Path("/proc/sys/vm/drop_caches").write_text("3")
    with tempfile.TemporaryDirectory(dir=asked.folder) as folder:
        for name in ("first", "again"):
            place = Path(folder) / name
            place.mkdir()
            is_fine = measure(name, place, asked.jobs) and is_fine
    return 0 if is_fine else 1


def measure(name: str, folder: Path, jobs: int) -> bool:
    """Print forecast and truth; returns whether the bound holds."""
    ids = published_ids()
    start = time.perf_counter()
    before = [speed.seconds(ids, jobs=jobs) for speed in measure_speeds(folder, jobs=jobs)]
    print(f"{name}: forecast {describe_seconds(before)}", end=", ")
    print(f"made in {time.perf_counter() - start:.1f} s", flush=True)
    tasks = [PreparationTask(i, PrepareOptions(rehearsal=Rehearsal())) for i in ids]
    start = time.perf_counter()
    prepare_many(tasks, Catalogue(folder), jobs=jobs)
    seconds = time.perf_counter() - start
    used = sum(file.lstat().st_blocks * 512 for file in folder.rglob("*"))
    wanted = sum(rehearsal_sizes()[i].disk_bytes for i in ids)
    speeds = measure_speeds(folder, jobs=jobs, is_quick=True)
    after = [speed.seconds(ids, jobs=jobs) for speed in speeds]
    shortest = min(before)
    print(
        f"{name}: {seconds:.1f} s measured with -j {jobs}, {seconds / shortest:.2f} of the"
        f" forecast; forecast afterwards {describe_seconds(after)}"
    )
    print(f"{name}: {wanted / 1e9:.3f} GB forecast, {used / 1e9:.3f} GB found", flush=True)
    return all(abs(share - 1) <= BOUND for share in (seconds / shortest, used / wanted))


if __name__ == "__main__":
    sys.exit(main())
