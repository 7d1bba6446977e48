"""What the harness costs beside the agent itself: dummy runs in the best sandbox, two workers.

Budget: less than 0.5 s a run. The yardstick, starting a Python program as often by hand with two
at once, is measured in the same run.

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

BUDGET = 0.5
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
        request = RunRequest(sandbox=sandbox, seeds=count, profile="small")
        agent = find_agent("dummy")
        group, work = start_group(catalogue, agent, ["spaceship-titanic"], request, home / "runs")
        start = time.perf_counter()
        work_on(work, jobs=WORKERS)
        total = time.perf_counter() - start
        runs = list(read_runs(group))
        agents = sum(run.record.seconds or 0 for run in runs if run.record)
        states = count_states(runs)
    overhead = (total * WORKERS - agents) / count
    bare = bare_seconds(count)
    print(f"{count} runs in {sandbox}: {total:.1f} s, {dict(states)}")
    print(f"agents themselves {agents / count:.3f} s a run; a bare Python start {bare:.3f} s")
    print(f"overhead {overhead:.3f} s a run (budget {BUDGET}), {overhead / bare:.1f} bare starts")
    return 0 if overhead < BUDGET and states["finished"] == count else 1


def bare_seconds(count: int) -> float:
    """Seconds of one start of Python, with two at once."""

    def start(_: int) -> None:
        subprocess.run([sys.executable, "-c", "import json, urllib.request"], check=True)

    begin = time.perf_counter()
    with ThreadPoolExecutor(WORKERS) as pool:
        list(pool.map(start, range(count)))
    return (time.perf_counter() - begin) * WORKERS / count


if __name__ == "__main__":
    sys.exit(main())
