"""Whether each kernel in C pays: the grading of a real submission with it, and without.

For every kernel the submission and the answers of a competition that uses it are grown to the real
size (`real_size.py`) and graded, from the file to the score. Then what the kernel does there is
measured alone, beside the best that libraries do; both must find the same. All times are the best
processor times of several rounds. A kernel stays where the grading would take twice as long without
it and 0.2 s more.

    python benchmarks/kernels.py [--rounds 5] [--json FILE] [NAME …]
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from grade import write_real_files
from library_ways import KERNELS, Inputs, Kernel
from real_size import ASSUMED

from mlebench.catalogue import Catalogue, LocatedCompetition
from mlebench.grading.grade import judge, load_answers, submission_limits
from mlebench.grading.reading import parse_submission

FASTER, SAVED_SECONDS = 2.0, 0.2


@dataclass(frozen=True)
class Figures:
    """Processor seconds of a grading, and of the part of it that a kernel does."""

    kernel: str
    competition: str
    rows: int
    is_assumed: bool
    grading: float
    native: float
    library: float

    @property
    def without(self) -> float:
        """What the grading would take with the library."""
        return self.grading - self.native + self.library

    @property
    def pays(self) -> bool:
        saved = self.library - self.native
        return self.without >= FASTER * self.grading and saved >= SAVED_SECONDS


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="of kernels; all by default")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", type=Path, help="where to write the figures")
    options = parser.parse_args()
    print("| kernel | competition | rows | grading | kernel | library | without it | pays |")
    print("|---|---|--:|--:|--:|--:|--:|---|")
    found = []
    for kernel in KERNELS:
        if not options.names or kernel.name in options.names:
            found.append(measure(kernel, options.rounds))
            print(as_row(found[-1]), flush=True)
    if options.json:
        rows = [{**asdict(one), "without": one.without, "pays": one.pays} for one in found]
        options.json.write_text(json.dumps(rows, indent=2) + "\n")
    return int(not all(one.pays for one in found))


def as_row(found: Figures) -> str:
    times = (found.grading, found.native, found.library, found.without)
    cells = " | ".join(f"{seconds:.3f} s" for seconds in times)
    rows = f"{'about ' * found.is_assumed}{found.rows:,}"
    pays = "yes" if found.pays else "no"
    return f"| {found.kernel} | {found.competition} | {rows} | {cells} | {pays} |"


def measure(kernel: Kernel, rounds: int) -> Figures:
    """The figures of one kernel in one competition."""
    with TemporaryDirectory() as folder:
        rows = write_real_files(Path(folder), kernel.competition, is_shuffled=kernel.is_shuffled)
        competition = Catalogue(Path(folder)).get_competition(kernel.competition)
        submission = Path(folder) / "submission.csv"
        grading = best_of(rounds, lambda: judge(submission, competition))[0]
        inputs = read_inputs(competition, submission)
        if kernel.prepare:
            inputs = kernel.prepare(inputs)
        native, one = best_of(rounds, lambda: kernel.native(inputs))
        library, other = best_of(rounds, lambda: kernel.library(inputs))
    np.testing.assert_equal(other, one)
    is_assumed = kernel.competition in ASSUMED
    return Figures(kernel.name, kernel.competition, rows, is_assumed, grading, native, library)


def read_inputs(competition: LocatedCompetition, submission: Path) -> Inputs:
    """The tables, and what the format makes of them."""
    size = submission.stat().st_size
    limits = submission_limits(competition)
    table = parse_submission(submission.read_bytes(), submission.name, limits).table
    answers = load_answers(competition.answers)
    aligned = competition.definition.submission.align(table, answers)
    return Inputs(table, answers, aligned.truth, aligned.prediction, size)


def best_of(rounds: int, work: Callable[[], Any]) -> tuple[float, Any]:
    """The least processor time of all threads, and what the work returned."""
    best = float("inf")
    for _ in range(rounds):
        start = time.process_time()
        found = work()
        best = min(best, time.process_time() - start)
    return best, found


if __name__ == "__main__":
    sys.exit(main())
