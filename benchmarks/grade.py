"""How long grading takes beside just reading the two CSV files with pandas, for each competition.

The rehearsal's gold submission and answers are grown, copy by copy with new ids, until reading both
takes about half a second. Then every third row gets the prediction of another row, since nobody
predicts all rows right. Reading (plain pandas) and grading (from the file to the score) take turns
with all files in memory, each in a process of its own. The best of several counts for either.
Budget: at most 2.5 times the reading; boxes and 3D at most 8 times. The ratio of processor times,
over all threads, is shown beside it: on a busy machine it tells more than the clock.

    python benchmarks/grade.py [--seconds 0.5] [--shuffled] [--parts] [ID …]
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

import pandas as pd
from growing import EXACT, Grown

from mlebench.catalogue import Catalogue, LocatedCompetition
from mlebench.grading.grade import judge
from mlebench.preparing.prepare import Rehearsal, prepare

BOXES = {
    "3d-object-detection-for-autonomous-vehicles",
    "siim-covid19-detection",
    "vinbigdata-chest-xray-abnormalities-detection",
    "kuzushiji-recognition",
    "uw-madison-gi-tract-image-segmentation",
}
BUDGET, BOX_BUDGET = 2.5, 8.0
ROUNDS = 5
MAX_SECONDS = 20
PARTS = {
    "shape": ("_shape_of", "_require_text"),
    "pandas": ("read_csv", "read_json_lines"),
    "ids": ("match_ids", "unknown_ids"),
    "align": ("align",),
    "metric": ("__call__",),
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ids", nargs="*")
    parser.add_argument("--seconds", type=float, default=0.5, help="what reading should take")
    parser.add_argument("--shuffled", action="store_true", help="rows in another order")
    parser.add_argument("--parts", action="store_true", help="show where grading spends its time")
    options = parser.parse_args()
    catalogue = Catalogue()
    ids = options.ids or catalogue.get_split("all") + catalogue.get_split("dev")
    failed = 0
    grader = ProcessPoolExecutor(1, get_context("spawn"))
    for competition_id in ids:
        with TemporaryDirectory() as folder:
            competition = Catalogue(Path(folder)).get_competition(competition_id)
            prepare(competition, Rehearsal())
            submission = Path(folder) / "submission.csv"
            rows = grow(competition, submission, options.seconds, is_shuffled=options.shuffled)
            (read, grade), (read_cpu, grade_cpu) = measure(competition, submission, grader)
            parts = ""
            if options.parts:
                parts = grader.submit(shares, Path(folder), competition_id).result()
        budget = BOX_BUDGET if competition_id in BOXES else BUDGET
        is_slow = grade > budget * read
        failed += is_slow
        print(
            f"{'SLOW' if is_slow else 'ok  '} {competition_id:58} rows {rows:>9,}"
            f"  read {read:5.2f} s  grade {grade:5.2f} s  ratio {grade / read:5.2f}"
            f"  of processor time {grade_cpu / read_cpu:5.2f}  (budget {budget}){parts}",
            flush=True,
        )
    print(f"{len(ids) - failed} of {len(ids)} within budget")
    return 1 if failed else 0


def grow(
    competition: LocatedCompetition, submission: Path, goal: float, *, is_shuffled: bool
) -> int:
    """Write answers and a submission whose reading takes about the goal; returns its rows."""
    grown = Grown.of(competition, is_shuffled=is_shuffled)
    copies, seconds = 1 + 2_000_000 // grown.bytes_per_copy, 0.0
    while seconds < 0.8 * goal:
        copies = int(copies * min(goal / seconds, 12)) + 1 if seconds else copies
        grown.write(competition, submission, copies)
        seconds = min(clocked(lambda: read_both(competition, submission))[0] for _ in range(3))
    return copies * grown.rows_per_copy


def read_both(competition: LocatedCompetition, submission: Path) -> None:
    """The yardstick: what anybody would call first."""
    pd.read_csv(submission, **EXACT)
    if competition.answers.suffix == ".jsonl":
        pd.read_json(competition.answers, lines=True)
    else:
        pd.read_csv(competition.answers, **EXACT)


def measure(
    competition: LocatedCompetition, submission: Path, grader: ProcessPoolExecutor
) -> tuple[tuple[float, float], ...]:
    """The best seconds of reading and of grading (which reads, too): by the clock, and of work."""
    times = []
    start = time.perf_counter()
    while len(times) < ROUNDS and (not times or time.perf_counter() - start < MAX_SECONDS):
        reading = clocked(lambda: read_both(competition, submission))
        grading = grader.submit(clocked_grading, submission.parent, competition.id).result()
        times.append((*reading, *grading))
    read, read_cpu, grade, grade_cpu = (min(column) for column in zip(*times, strict=True))
    return (read, grade), (read_cpu, grade_cpu)


def clocked_grading(folder: Path, competition_id: str) -> tuple[float, float]:
    return clocked(lambda: graded(folder, competition_id))


def graded(folder: Path, competition_id: str) -> None:
    competition = Catalogue(folder).get_competition(competition_id)
    verdict = judge(folder / "submission.csv", competition)
    if verdict.score is None:
        raise SystemExit(f"{competition_id}: {verdict.reason}")


def clocked(action: Callable[[], object]) -> tuple[float, float]:
    """Seconds by the clock, and of processor time in all threads."""
    start, work = time.perf_counter(), time.process_time()
    action()
    return time.perf_counter() - start, time.process_time() - work


def shares(folder: Path, competition_id: str) -> str:
    """Seconds of the main steps of grading, under a profiler."""
    profile = cProfile.Profile()
    profile.runcall(graded, folder, competition_id)
    spent: dict[str, float] = dict.fromkeys(PARTS, 0.0)
    for (_, _, name), row in pstats.Stats(profile).stats.items():  # type: ignore[attr-defined]
        for part, names in PARTS.items():
            if name in names:
                spent[part] = max(spent[part], row[3])
    return "  " + "  ".join(f"{part} {seconds:.2f}" for part, seconds in spent.items())


if __name__ == "__main__":
    sys.exit(main())
