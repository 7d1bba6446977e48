"""How long a group of 10,000 runs takes to plan, show, resume, report and view.

    python benchmarks/long_group.py                # in the folder for temporary files
    python benchmarks/long_group.py --runs 2000 --folder /somewhere

Every step is a process of its own, as a user starts it. Processor time counts, because wall time on
a busy machine says little. To resume includes the run. The viewer has an index from before and is
asked for its first page, then for the page of the group, three times on the clock; what a browser
loads first is at most 300 KB, compressed.
"""

from __future__ import annotations

import argparse
import gzip
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from msgspec import structs

sys.path.insert(0, str(Path(__file__).parent.parent))

from benchmarks.viewer import viewing
from tests.results.made_runs import make_group

from mlebench.catalogue import Catalogue
from mlebench.records.folders import GroupFolder
from mlebench.records.run import read_run, write_run
from mlebench.runner.plan import open_group

BOUND = 3.0
REPORT_BOUND = 5.0
VIEW_BOUND = 1.0
GROUP_BOUND = 0.5
PAGE_BYTES = 300_000


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=10_000)
    parser.add_argument("--folder", type=Path)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=asked.folder) as name:
        return 0 if measure(Path(name), asked.runs) else 1


def measure(folder: Path, count: int) -> bool:
    """Print a line for each step; returns whether all bounds hold."""
    data, runs, made = folder / "data", folder / "runs", folder / "made"
    place = ["--data-dir", str(data)]
    mlebench("prepare", "-c", "starter-wine", *place)
    words = ["--agent", "dummy", "-c", "starter-wine", "--seeds", str(count), "--plan-only"]
    found = [say("plan", BOUND, mlebench("run", *words, *place, "--runs-dir", str(runs)))]
    found.append(say("status", BOUND, mlebench("status", "last", "--runs-dir", str(runs))))
    (group,) = runs.iterdir()
    finish_all_but_one(group)
    found.append(say("resume one run", BOUND, mlebench("resume", "last", "--runs-dir", str(runs))))
    ids = Catalogue().get_split("all")
    make_group(made, "aide", ids, seeds=round(count / len(ids)), slim=True)
    page = folder / "page.html"
    for name, sources in (("report", made), ("report, many seeds", runs)):
        used = mlebench("report", str(sources), "--html", str(page))
        found.append(say(name, REPORT_BOUND, used))
        found.append(is_small("its page", gzip.compress(page.read_bytes())))
    for name, sources in (("view", made), ("view, many seeds", runs)):
        look(sources, folder / "cache")
        used, index, pages = look(sources, folder / "cache")
        found += [say(name, VIEW_BOUND, used), is_small("its index", index)]
        shown = ", ".join(f"{seconds:.2f}" for seconds in pages)
        print(f"     page of the group: {shown} s wall; bound {GROUP_BOUND} after the first")
        found.append(max(pages[1:]) <= GROUP_BOUND)
    return all(found)


def say(name: str, bound: float, used: tuple[float, float]) -> bool:
    is_fine = used[0] <= bound
    word = "ok  " if is_fine else "SLOW"
    print(f"{word} {name:<20} {used[0]:6.2f} s processor, {used[1]:6.2f} s wall; bound {bound}")
    return is_fine


def is_small(name: str, data: bytes) -> bool:
    print(f"{'ok  ' if len(data) <= PAGE_BYTES else 'LARGE'} {name:<20} {len(data):,} bytes")
    return len(data) <= PAGE_BYTES


def look(runs: Path, cache: Path) -> tuple[tuple[float, float], bytes, list[float]]:
    """Time from the start of a viewer to the data of its first page, with its end; that data; wall
    times of the group's page, by a second viewer.
    """
    start, before = time.perf_counter(), sum(os.times()[2:4])
    with viewing(runs, cache) as ask:
        ask("/")
        index = ask("/api/index")
    used = (sum(os.times()[2:4]) - before, time.perf_counter() - start)
    (group,) = runs.iterdir()
    with viewing(runs, cache) as ask:
        ask("/api/index")
        return used, index, [timed(ask, f"/api/g/{group.name}") for _ in range(3)]


def timed(ask: Callable[[str], bytes], address: str) -> float:
    start = time.perf_counter()
    ask(address)
    return time.perf_counter() - start


def finish_all_but_one(path: Path) -> None:
    group = open_group(GroupFolder(path))
    for run in group.plan.runs[:-1]:
        file = group.run(run.run_id).state
        record = structs.replace(read_run(file), state="failed", blame="agent", seconds=1.0)
        write_run(record, file, is_durable=False)


def mlebench(*words: str) -> tuple[float, float]:
    """Processor time of the command and its children, and wall time."""
    start, before = time.perf_counter(), sum(os.times()[2:4])
    subprocess.run([sys.executable, "-m", "mlebench", *words], capture_output=True)
    return sum(os.times()[2:4]) - before, time.perf_counter() - start


if __name__ == "__main__":
    sys.exit(main())
