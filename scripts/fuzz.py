"""Mutated submissions over all competitions: `make fuzz`, or for a number of cases

    python scripts/fuzz.py --count 1000000 --jobs 16 --seed 1 --data-dir fuzz-data

Needs the package (installed or not), this repository and no network: the data is a rehearsal that
is made first. Exit code 1 if a case crashes, takes too long, gets no sentence, or is accepted by
validation although an independent checker refuses it. Each finding names seed and number of its
case: `--show COMPETITION NUMBER` writes that file to standard output.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import resource
import signal
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.fuzz.campaign import Target

from mlebench.catalogue import Catalogue
from mlebench.preparing.prepare import Rehearsal, prepare

MEMORY_BYTES = 6 << 30
STEP = 200
"""Cases of one competition before the next one follows."""

HANG_SECONDS = 300


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=0, help="cases; 0: until the time is over")
    parser.add_argument("--seconds", type=float, default=3600)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--data-dir", type=Path, default=Path("fuzz-data"))
    parser.add_argument("--show", nargs=2, metavar=("COMPETITION", "NUMBER"))
    parser.add_argument("competitions", nargs="*")
    asked = parser.parse_args()
    catalogue = Catalogue(asked.data_dir.absolute())
    if asked.show:
        target = Target(catalogue.get_competition(asked.show[0]))
        sys.stdout.buffer.write(target.data(asked.seed, int(asked.show[1])))
        return 0
    ids = asked.competitions or catalogue.list_competition_ids()
    with multiprocessing.Pool(asked.jobs) as pool:
        pool.starmap(ensure_data, [(asked.data_dir, name) for name in ids], chunksize=1)
    print(f"seed {asked.seed}, {len(ids)} competitions, {asked.jobs} processes", flush=True)
    return campaign(asked, ids)


def ensure_data(data_dir: Path, competition_id: str) -> None:
    competition = Catalogue(data_dir.absolute()).get_competition(competition_id)
    if not competition.answers.is_file():
        prepare(competition, Rehearsal())


def campaign(asked: argparse.Namespace, ids: list[str]) -> int:
    """Distribute steps to workers and replace those that die; print what they find."""
    context = multiprocessing.get_context("fork")
    results: Any = context.Queue()
    limit = asked.count or sys.maxsize
    deadline = time.monotonic() + asked.seconds if not asked.count else float("inf")
    counts: Counter[str] = Counter()
    findings: list[dict[str, Any]] = []
    workers: dict[int, Any] = {}
    steps = ((name, begin) for begin in range(0, limit, STEP) for name in ids)
    given = 0
    while True:
        while len(workers) < asked.jobs and given < limit and time.monotonic() < deadline:
            name, begin = next(steps)
            size = min(STEP, limit - given)
            given += size
            facts = (asked, name, begin, size, results)
            worker = context.Process(target=work, args=facts)
            worker.start()
            workers[worker.pid or 0] = (worker, name, begin)
        if not workers:
            break
        collect(results, counts, findings)
        for pid, (worker, name, begin) in list(workers.items()):
            if not worker.is_alive():
                worker.join()
                del workers[pid]
                if worker.exitcode:
                    case = {"competition": name, "from": begin, "what": f"died: {worker.exitcode}"}
                    findings.append(case)
                    print(json.dumps(case), flush=True)
    collect(results, counts, findings)
    print(f"{counts['cases']:,} cases, {counts['valid']:,} valid, {counts['scored']:,} scored,"
          f" {len(findings)} findings; seed {asked.seed}")  # fmt: skip
    return 1 if findings else 0


def collect(results: Any, counts: Counter[str], findings: list[dict[str, Any]]) -> None:
    time.sleep(0.02)
    while not results.empty():
        done = results.get()
        counts.update(done["counts"])
        for finding in done["findings"]:
            findings.append(finding)
            print(json.dumps(finding), flush=True)
        if counts["cases"] // 50_000 != (counts["cases"] - done["counts"]["cases"]) // 50_000:
            print(f"{counts['cases']:,} cases, {len(findings)} findings", flush=True)


def work(asked: argparse.Namespace, name: str, begin: int, size: int, results: Any) -> None:
    """One step in a process of its own, with limits."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    target = Target(Catalogue(asked.data_dir.absolute()).get_competition(name))
    counts: Counter[str] = Counter(cases=size)
    findings: list[dict[str, Any]] = []
    for number in range(begin, begin + size):
        signal.alarm(HANG_SECONDS)
        for what in target.problems(target.data(asked.seed, number)):
            if len(findings) < 5:
                findings.append({"competition": name, "number": number, "what": what[:500]})
        counts["valid"] += target.was_valid
        counts["scored"] += target.was_scored
    results.put({"counts": counts, "findings": findings})
    results.close()
    results.join_thread()


if __name__ == "__main__":
    sys.exit(main())
