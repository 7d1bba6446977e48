"""Mutated submissions over all competitions: `make fuzz`, or for a number of cases

    python scripts/fuzz.py --count 1000000 --jobs 16 --seed 1 --data-dir fuzz-data

Needs the package (installed or not), this repository and no network: the data is a rehearsal that
is made first. Exit code 1 if a case crashes, takes more time or memory than allowed, gets no
sentence, or is accepted by validation although an independent checker refuses it. Each finding
names seed and number of its case: `--show COMPETITION NUMBER` writes that file to standard output.
"""

from __future__ import annotations

import os

os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1"))

import argparse
import gc
import json
import multiprocessing
import resource
import signal
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.fuzz.campaign import Target

from mlebench.catalogue import Catalogue
from mlebench.preparing.prepare import Rehearsal, prepare

MEMORY_BYTES = 6 << 30
"""Of addresses in a worker; what a case may use is far less, see `Target`."""

HANG_SECONDS = 120
STEP = 500
"""Cases of one competition before the next one follows."""

STEP_OF_LARGE = 50
LARGE_BYTES = 200_000
"""Of a sample submission; a case takes a hundred times as long as others, so there are fewer."""

CONTEXT = multiprocessing.get_context("fork")


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
    with CONTEXT.Pool(asked.jobs) as pool:
        pool.starmap(ensure_data, [(asked.data_dir, name) for name in ids], chunksize=1)
    print(f"seed {asked.seed}, {len(ids)} competitions, {asked.jobs} processes", flush=True)
    return campaign(asked, [load(catalogue, name) for name in ids])


def ensure_data(data_dir: Path, competition_id: str) -> None:
    competition = Catalogue(data_dir.absolute()).get_competition(competition_id)
    if not competition.answers.is_file():
        prepare(competition, Rehearsal())


def load(catalogue: Catalogue, competition_id: str) -> Target:
    """A target whose answers and modules are in memory, so that workers start with them."""
    target = Target(catalogue.get_competition(competition_id))
    for data in target.bases:
        target.problems(data)
    return target


@dataclass
class Totals:
    """What the workers report, added up."""

    seed: int
    competitions: int
    started: float = field(default_factory=time.monotonic)
    cases: int = 0
    valid: int = 0
    scored: int = 0
    crashes: int = 0
    accepted: int = 0
    others: int = 0
    slowest: tuple[float, str, int] = (0.0, "", 0)
    peak_bytes: int = 0

    def add(self, done: dict[str, Any]) -> None:
        self.cases += done["cases"]
        self.valid += done["valid"]
        self.scored += done["scored"]
        self.slowest = max(self.slowest, tuple(done["slowest"]))
        self.peak_bytes = max(self.peak_bytes, done["peak_bytes"])
        for finding in done["findings"]:
            self.add_finding(finding)

    def add_finding(self, finding: dict[str, Any]) -> None:
        what = finding["what"]
        self.crashes += "raises" in what or "died" in what
        self.accepted += "accepts" in what
        self.others += not any(word in what for word in ("raises", "died", "accepts"))
        print(json.dumps(finding), flush=True)

    @property
    def findings(self) -> int:
        return self.crashes + self.accepted + self.others

    def __str__(self) -> str:
        seconds, name, number = self.slowest
        return (
            f"{self.cases:,} cases over {self.competitions} competitions in"
            f" {time.monotonic() - self.started:,.0f} s: {self.valid:,} valid, {self.scored:,}"
            f" scored, {self.crashes} crashes, {self.accepted} laxer verdicts, {self.others} other"
            f" findings; slowest case {seconds:.2f} s ({name} {number}), peak memory"
            f" {self.peak_bytes >> 20} MiB; seed {self.seed}"
        )


@dataclass(frozen=True)
class Step:
    """Some cases of one competition, in a process of their own."""

    target: Target
    begin: int
    size: int
    current: Any = field(default_factory=lambda: CONTEXT.RawValue("q", 0))
    """The number of the case that the process works on: known also when it dies."""

    def start(self, seed: int) -> tuple[Connection, Any]:
        receiver, sender = CONTEXT.Pipe(duplex=False)
        process = CONTEXT.Process(target=self._work, args=(seed, sender))
        process.start()
        sender.close()
        return receiver, process

    def _work(self, seed: int, sender: Connection) -> None:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
        target, name = self.target, self.target.competition.id
        done: dict[str, Any] = {"cases": self.size, "valid": 0, "scored": 0, "findings": []}
        slowest = (0.0, "", 0)
        for number in range(self.begin, self.begin + self.size):
            self.current.value = number
            signal.alarm(HANG_SECONDS)
            for what in target.problems(target.data(seed, number)):
                done["findings"].append({"competition": name, "number": number, "what": what[:500]})
            done["valid"] += target.was_valid
            done["scored"] += target.was_scored
            slowest = max(slowest, (target.seconds, name, number))
        sender.send(done | {"slowest": slowest, "peak_bytes": target.peak_bytes})

    def death(self, exit_code: int | None) -> dict[str, Any]:
        name, number = self.target.competition.id, self.current.value
        return {"competition": name, "number": number, "what": f"died with {exit_code}"}


def steps_of(targets: list[Target], count: int) -> Iterator[Step]:
    """Steps in turns over the competitions, until they have so many cases; 0: for ever."""
    begins = dict.fromkeys(range(len(targets)), 0)
    given = 0
    while True:
        for place, target in enumerate(targets):
            is_large = len(target.bases[0]) > LARGE_BYTES
            size = STEP_OF_LARGE if is_large else STEP
            if count:
                size = min(size, max(1, count // len(targets)), count - given)
            if not size:
                return
            yield Step(target, begins[place], size)
            begins[place] += size
            given += size


def campaign(asked: argparse.Namespace, targets: list[Target]) -> int:
    """Distribute steps to processes; print what they find and, at the end, the totals."""
    gc.freeze()  # what is loaded stays shared with the workers
    totals = Totals(asked.seed, len(targets))
    deadline = float("inf") if asked.count else time.monotonic() + asked.seconds
    steps = steps_of(targets, asked.count)
    working: dict[Any, tuple[Step, Any]] = {}
    shown = 0
    while True:
        while len(working) < asked.jobs and time.monotonic() < deadline:
            if (step := next(steps, None)) is None:
                break
            pipe, process = step.start(asked.seed)
            working[pipe] = (step, process)
        if not working:
            break
        ended: list[Any] = wait(list(working))
        for receiver in ended:
            step, process = working.pop(receiver)
            try:
                totals.add(receiver.recv())
                process.join()
            except EOFError:
                process.join()
                totals.add_finding(step.death(process.exitcode))
        if totals.cases // 50_000 > shown:
            shown = totals.cases // 50_000
            print(totals, flush=True)
    print(totals)
    return 1 if totals.findings else 0


if __name__ == "__main__":
    sys.exit(main())
