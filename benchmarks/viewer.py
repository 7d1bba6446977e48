"""How fast the viewer answers: 10,000 runs, a log of 100 MB, a trajectory of 2,000 steps.

Every request goes to `mlebench view` as a process of its own; best of three rounds on the clock.

    python benchmarks/viewer.py [--runs 10000]
"""

from __future__ import annotations

import argparse
import http.client
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.results.made_runs import make_large_run, make_many

ROUNDS = 3
LOG_BYTES = 100_000_000
STEPS = 2000
KB = 1000


@dataclass(frozen=True)
class Budget:
    """What one thing may take."""

    name: str
    seconds: float
    size: int | None = None


INDEX = Budget("start of the process to the first page's data", 1.0, 300 * KB)
AGAIN = Budget("the index again", 0.1, 300 * KB)
TAIL = Budget("a log of 100 MB at its end", 0.3, 256 * KB)
LINE = Budget("a line in its middle", 0.2, 256 * KB)
SEARCH = Budget("a search that finds nothing", 1.0, 256 * KB)
DENSE = Budget("a search that finds a million lines", 1.0, 256 * KB)
ERRORS = Budget("lines that look like errors", 1.0, 256 * KB)
OUTLINE = Budget("the outline of 2,000 steps", 0.5, 256 * KB)
PAGE = Budget("50 of the steps", 0.5, 512 * KB)


@contextmanager
def viewing(runs: Path, cache: Path) -> Iterator[Callable[[str], bytes]]:
    """A viewer as a process; returns a function that sends requests to it."""
    words = [sys.executable, "-m", "mlebench", "view", str(runs), "--port", "0"]
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache)}
    with subprocess.Popen(words, stderr=subprocess.PIPE, text=True, env=environment) as process:
        said = ""
        while "open: " not in said:
            said += (process.stderr.readline() if process.stderr else "") or sys.exit(said)
        port, token = re.findall(r":(\d+)/\?token=(\S+)", said)[0]
        headers = {"Accept-Encoding": "gzip", "Cookie": f"mlebench-view-{port}={token}"}

        def ask(path: str) -> bytes:
            connection = http.client.HTTPConnection("127.0.0.1", int(port), timeout=60)
            connection.request("GET", path, headers=headers)
            reply = connection.getresponse()
            body = reply.read()
            connection.close()
            if reply.status != 200:
                sys.exit(f"{path}: {reply.status} {body[:200]!r}")
            return body

        try:
            yield ask
        finally:
            process.send_signal(signal.SIGINT)
            process.wait()


def timed(work: Callable[[], bytes]) -> tuple[float, int]:
    start = time.perf_counter()
    size = len(work())
    return time.perf_counter() - start, size


def measure_index(runs: Path, cache: Path) -> dict[Budget, list[tuple[float, int]]]:
    """From typing the command to the data of the first page, with an index from before."""
    found: dict[Budget, list[tuple[float, int]]] = {INDEX: [], AGAIN: []}
    with viewing(runs, cache) as ask:
        ask("/api/index")
    for _ in range(ROUNDS):
        start = time.perf_counter()
        with viewing(runs, cache) as ask:
            ask("/")
            size = len(ask("/api/index"))
            found[INDEX].append((time.perf_counter() - start, size))
            found[AGAIN].append(timed(lambda: ask("/api/index")))
    return found


def measure_run(folder: Path, cache: Path) -> dict[Budget, list[tuple[float, int]]]:
    """One run with a large log and a long trajectory; each round has a viewer of its own."""
    run = make_large_run(folder, log_bytes=LOG_BYTES, steps=STEPS)
    found: dict[Budget, list[tuple[float, int]]] = {}
    for _ in range(ROUNDS):
        with viewing(folder, cache) as ask:
            base = f"/api/g/{run.path.parent.name}/r/{run.path.name}"
            total = run.agent_log.read_bytes().count(b"\n")
            addresses = {
                TAIL: "/log?tail=500",
                LINE: f"/log?from={total // 2}&count=500",
                SEARCH: "/log?search=zebra",
                DENSE: "/log?search=LOSS&ignore_case=1",
                ERRORS: "/log?errors=1",
                OUTLINE: "/trajectory?outline=1",
                PAGE: f"/trajectory?from={STEPS - 50}&count=50",
            }
            ask("/api/index")
            for budget, address in addresses.items():
                measured = timed(partial(ask, base + address))
                found.setdefault(budget, []).append(measured)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=10_000)
    count = parser.parse_args().runs
    with TemporaryDirectory() as folder:
        place = Path(folder)
        make_many(place / "many", count)
        found = measure_index(place / "many", place / "cache")
        found |= measure_run(place / "one", place / "cache")
    print(f"{count:,} runs")
    failed = False
    for budget, rounds in found.items():
        seconds, size = min(rounds)
        is_fine = seconds <= budget.seconds and (budget.size is None or size <= budget.size)
        failed |= not is_fine
        print(
            f"{'ok  ' if is_fine else 'SLOW'} {budget.name:46} {seconds:6.3f} s"
            f" (budget {budget.seconds:g})  {size:9,} bytes"
        )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
