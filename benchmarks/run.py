"""Seconds for a run of the dummy agent, from start to graded record, in the best sandbox.

Two workers; the time of the whole group divided by the number of runs. Budget: 0.15 s, on two quiet
processors. The yardstick, starting a Python program as often with two at once, is measured before
and after, so that the ratio says something on a busy machine, too.

    python benchmarks/run.py [--runs 300]
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from mlebench.agents.registry import find_agent
from mlebench.catalogue import Catalogue
from mlebench.preparing.prepare import Rehearsal, prepare
from mlebench.runner.group import RunRequest, start_group, work_on
from mlebench.runner.statuses import count_states, read_runs
from mlebench.sandbox.registry import best_sandbox

BUDGET = 0.15
WORKERS = 2


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=300)
    count = parser.parse_args().runs
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        catalogue = Catalogue(home / "data")
        prepare(catalogue.get_competition("spaceship-titanic"), Rehearsal())
        sandbox = best_sandbox().name
        before = bare(count)
        seconds = run_group(catalogue, sandbox, count, home / "runs")
        yardstick = (before + bare(count)) / 2
    print(f"{count} runs in {sandbox}: {seconds:.3f} s a run (budget {BUDGET})")
    print(f"a bare start of Python {yardstick:.3f} s, ratio {seconds / yardstick:.1f}")
    return 0 if seconds <= BUDGET else 1


def run_group(catalogue: Catalogue, sandbox: str, count: int, runs: Path) -> float:
    """Seconds of a group divided by the number of its runs."""
    request = RunRequest(sandbox=sandbox, seeds=count, profile="small")
    agent = find_agent("dummy")
    group, work = start_group(catalogue, agent, ["spaceship-titanic"], request, runs)
    start = time.perf_counter()
    work_on(work, jobs=WORKERS)
    seconds = time.perf_counter() - start
    states = count_states(list(read_runs(group)))
    if states["finished"] != count:
        raise SystemExit(f"not all runs have finished: {dict(states)}")
    return seconds / count


def bare(count: int) -> float:
    """Seconds of many starts of Python, two at once, divided by their number."""

    def start(_: int) -> None:
        subprocess.run([sys.executable, "-c", "import json, urllib.request"], check=True)

    begin = time.perf_counter()
    with ThreadPoolExecutor(WORKERS) as pool:
        list(pool.map(start, range(count)))
    return (time.perf_counter() - begin) / count


if __name__ == "__main__":
    sys.exit(main())
