"""How fast and how frugal preparation is, as ratios measured within one run.

    python benchmarks/prepare.py                 # everything; some minutes
    python benchmarks/prepare.py --images 2000 --rows 200000

Images: an archive of small pictures, prepared, against `unzip -q` of it; and the most disk that was
taken meanwhile, against what the archive holds. Table: the split of the taxi fares (5 million rows)
against pandas, in time and in memory, with the same bytes as a result.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

TEST_ROWS = 9914

PANDAS_WAY = """
import sys, pandas as pd
from sklearn.model_selection import train_test_split
options = {} if pd.__version__ >= "3" else {"float_precision": "round_trip"}
frame = pd.read_csv(sys.argv[1], **options)
train, test = train_test_split(frame, test_size=int(sys.argv[3]), random_state=0)
train.to_csv(sys.argv[2], index=False)
test.to_csv(sys.argv[2] + ".test", index=False)
"""

OUR_WAY = """
import sys
from pathlib import Path
from mlebench.competitions.new_york_city_taxi_fare_prediction.big_tables import split_big_table
from mlebench.archives.raw import RawFolder
from mlebench.tables import write_table
source, target = Path(sys.argv[1]), Path(sys.argv[2])
raw = RawFolder(source.parent, scratch=target.parent) / source.name
test = split_big_table(raw, target, test_size=int(sys.argv[3]))
write_table(test, Path(sys.argv[2] + ".test"))
"""


@dataclass(frozen=True)
class Measure:
    """A ratio and the bound it must keep."""

    name: str
    value: float
    bound: float
    is_lower_better: bool
    detail: str

    @property
    def is_kept(self) -> bool:
        return self.value <= self.bound if self.is_lower_better else self.value >= self.bound


def make_images(archive: Path, count: int) -> None:
    """Incompressible files of a few kilobytes, as thumbnails are."""
    r = random.Random(0)
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as new:
        for _ in range(count):
            new.writestr(
                f"train/{r.getrandbits(64):016x}.jpg", r.randbytes(r.randrange(1000, 6000))
            )


def image_measures(folder: Path, count: int, repeat: int) -> list[Measure]:
    from mlebench.archives.copying import copy_folder
    from mlebench.catalogue import Catalogue
    from mlebench.preparing.options import PrepareOptions
    from mlebench.preparing.prepare import prepare

    competition = Catalogue(folder / "data").get_competition("aerial-cactus-identification")
    definition = replace(
        competition.definition, prepare=lambda raw, public, _: copy_folder(raw, public)
    )
    competition = replace(competition, definition=definition)
    competition.folder.path.mkdir(parents=True)
    make_images(competition.folder.archive, count)
    goal = folder / "unzipped"

    def unzip() -> None:
        command = ["unzip", "-q", str(competition.folder.archive), "-d", str(goal)]
        subprocess.run(command, check=True)

    def ours() -> None:
        prepare(competition, options=PrepareOptions(verify=False))

    theirs_s, ours_s = [], []
    for _ in range(repeat):
        theirs_s.append(timed(unzip))
        extracted = disk_usage(goal)
        shutil.rmtree(goal)
        ours_s.append(timed(ours))
        shutil.rmtree(competition.folder.prepared)
    peak = peak_disk(ours, competition.folder.path) / extracted
    best, reference = min(ours_s), min(theirs_s)
    detail = f"{best:.2f} s, unzip {reference:.2f} s ({count:,} files, best of {repeat})"
    return [
        Measure("images: time / unzip -q", best / reference, 1.5, True, detail),
        Measure("images: peak disk / extracted", peak, 1.15, True, f"{extracted / 1e6:,.0f} MB"),
    ]


def timed(work: Callable[[], object]) -> float:
    os.sync()
    start = time.monotonic()
    work()
    return time.monotonic() - start


def disk_usage(folder: Path) -> int:
    total = 0
    for home, _, names in os.walk(folder):
        for name in names:
            try:
                total += os.lstat(f"{home}/{name}").st_blocks * 512
            except FileNotFoundError:
                continue
    return total


def peak_disk(work: Callable[[], object], folder: Path) -> int:
    """The most that a piece of work adds to a folder, nameless scratch files aside."""
    before = peak = disk_usage(folder)
    done = threading.Event()

    def watch() -> None:
        nonlocal peak
        while not done.wait(0.02):
            peak = max(peak, disk_usage(folder))

    watcher = threading.Thread(target=watch)
    watcher.start()
    work()
    done.set()
    watcher.join()
    return max(peak, disk_usage(folder)) - before


def make_rides(path: Path, rows: int) -> None:
    """Rides in the style of the real table: few and many digits, whole numbers, rare gaps."""
    import numpy as np

    r = np.random.default_rng(0)
    head = (
        "key,fare_amount,pickup_datetime,pickup_longitude,pickup_latitude,"
        "dropoff_longitude,dropoff_latitude,passenger_count\n"
    )
    fares = ["2.5", "4.5", "5.3", "7.7", "12.1", "16.9", "45", "57.33", "-3"]

    def place(centre: float, count: int) -> list[str]:
        digits = r.choice([4, 6, 6, 14], count).tolist()
        values = (centre + r.uniform(-0.1, 0.1, count)).tolist()
        is_zero = (r.random(count) < 0.02).tolist()
        return ["0" if z else f"{v:.{d}f}" for z, v, d in zip(is_zero, values, digits, strict=True)]

    with path.open("w") as stream:
        stream.write(head)
        for start in range(0, rows, 250_000):
            count = min(250_000, rows - start)
            when = np.datetime64("2009-01-01T00:00:00") + r.integers(0, 2 * 10**8, count)
            times = [str(t).replace("T", " ") for t in when]
            is_gap, ends = r.random(count) < 1e-5, place(40.75, count)
            cells = (
                [f"{t}.{start + n:07d}" for n, t in enumerate(times)],
                [fares[k] for k in r.integers(0, len(fares), count).tolist()],
                [f"{t} UTC" for t in times],
                place(-73.98, count),
                place(40.75, count),
                place(-73.98, count),
                ["" if gap else p for gap, p in zip(is_gap, ends, strict=True)],
                [str(k) for k in r.integers(1, 7, count).tolist()],
            )
            stream.writelines(",".join(row) + "\n" for row in zip(*cells, strict=True))


def run_script(code: str, source: Path, target: Path) -> tuple[float, float]:
    """Seconds and peak memory in MB of a script in a process of its own."""
    command = [sys.executable, "-c", code, str(source), str(target), str(TEST_ROWS)]
    start = time.monotonic()
    process = subprocess.Popen(command)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.monotonic() - start
    if status:
        raise SystemExit("a script failed")
    return seconds, usage.ru_maxrss / 1024


def table_measures(folder: Path, rows: int, repeat: int) -> list[Measure]:
    source = folder / "train.csv"
    make_rides(source, rows)
    # Into the page cache, so that neither pays for the disk; a child inherits the parent's peak.
    subprocess.run(["md5sum", str(source)], check=True, stdout=subprocess.DEVNULL)
    ours, theirs = [], []
    for _ in range(repeat):
        ours.append(run_script(OUR_WAY, source, folder / "ours.csv"))
        theirs.append(run_script(PANDAS_WAY, source, folder / "theirs.csv"))
    (ours_s, ours_mb), (theirs_s, theirs_mb) = min(ours), min(theirs)
    for name in ("{}.csv", "{}.csv.test"):
        files = [folder / name.format(who) for who in ("ours", "theirs")]
        if subprocess.run(["cmp", *map(str, files)]).returncode:
            raise SystemExit(f"{files[0].name} differs from what pandas writes")
    speed = f"{ours_s:.1f} s, pandas {theirs_s:.1f} s ({rows:,} rows, same bytes, best of {repeat})"
    memory = f"{ours_mb:,.0f} MB, pandas {theirs_mb:,.0f} MB"
    return [
        Measure("table: pandas / time", theirs_s / ours_s, 4, False, speed),
        Measure("table: peak memory / pandas", ours_mb / theirs_mb, 0.5, True, memory),
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--images", type=int, default=20_000, help="files in the archive; 0: none")
    parser.add_argument("--rows", type=int, default=5_000_000, help="rows of the table; 0: none")
    parser.add_argument("--repeat", type=int, default=3, help="runs of each, the best counts")
    parser.add_argument("--folder", type=Path, help="where to work; a temporary folder by default")
    asked = parser.parse_args()
    measures: list[Measure] = []
    with tempfile.TemporaryDirectory(dir=asked.folder, prefix="bench-") as name:
        folder = Path(name)
        if asked.images:
            measures += image_measures(folder, asked.images, asked.repeat)
        if asked.rows:
            measures += table_measures(folder, asked.rows, asked.repeat)
    for m in measures:
        sign = "<=" if m.is_lower_better else ">="
        verdict = "ok  " if m.is_kept else "FAIL"
        print(f"{verdict} {m.name:32} {m.value:6.2f}  ({sign} {m.bound})  {m.detail}")
    return 0 if all(m.is_kept for m in measures) else 1


if __name__ == "__main__":
    sys.exit(main())
