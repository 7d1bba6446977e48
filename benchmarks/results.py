"""How long `mlebench report` takes over 10,000 runs, beside plainly parsing the same files.

The yardstick is a Python process that opens every `run.json` and `report.json` and parses it as
JSON. CPU time of the child, best of three rounds. Budget: the table at most 4 times the yardstick,
the page at most 6 times, and both within 5 seconds; the page at most 3 MB.

    python benchmarks/results.py [--runs 10000]

The viewer over as many runs is measured in viewer.py.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.results.made_runs import make_many

ROUNDS = 3
SECONDS = 5.0
PAGE_BYTES = 3_000_000
BUDGETS = {"report": 4.0, "report --html": 6.0}
PLAIN = """
import json, pathlib, sys
for name in ("run.json", "host/report.json"):
    for file in pathlib.Path(sys.argv[1]).glob("*/*/" + name):
        try:
            json.loads(file.read_bytes())
        except ValueError:
            pass
"""


def measure(words: list[str]) -> tuple[float, float]:
    """CPU and wall seconds of a command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=10_000)
    count = parser.parse_args().runs
    with TemporaryDirectory() as folder:
        runs, page = Path(folder) / "runs", Path(folder) / "page.html"
        make_many(runs, count)
        report = [sys.executable, "-m", "mlebench", "report", str(runs), "--pad-missing"]
        commands = {
            "plain": [sys.executable, "-c", PLAIN, str(runs)],
            "report": report,
            "report --html": [*report, "--html", str(page)],
        }
        rounds = [{name: measure(words) for name, words in commands.items()} for _ in range(ROUNDS)]
        size = page.stat().st_size
    best = {name: min(found[name] for found in rounds) for name in commands}
    yardstick = best["plain"][0]
    print(f"{count:,} runs; reading and parsing plainly {yardstick:.2f} s of CPU")
    failed = size > PAGE_BYTES
    for name, budget in BUDGETS.items():
        cpu, wall = best[name]
        is_fine = cpu <= budget * yardstick and cpu <= SECONDS
        failed |= not is_fine
        print(
            f"{'ok  ' if is_fine else 'SLOW'} {name:14} {cpu:5.2f} s of CPU, {wall:5.2f} s on the"
            f" clock  ratio {cpu / yardstick:.2f} (budget {budget}, and {SECONDS:g} s)"
        )
    print(
        f"{'ok  ' if size <= PAGE_BYTES else 'LARGE'} page {size:,} bytes (budget {PAGE_BYTES:,})"
    )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
