"""How long grading takes beside just reading the two CSV files with pandas, for each competition.

Rehearsal data is scaled until reading the gold submission and the answers takes about half a second
(answers are repeated with new ids where the rehearsal itself cannot grow that far in time). Budget:
at most 2.5 times the reading; boxes and 3D at most 8 times.

    python benchmarks/grade.py [--seconds 0.5] [ID …]
"""

from __future__ import annotations

import argparse
import io
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pandas as pd

from mlebench.data.prepare import Rehearsal, prepare
from mlebench.grading.grade import load_answers, score_table, submission_limits
from mlebench.grading.reading import parse_submission
from mlebench.registry import Competition, Registry

BOXES = {
    "3d-object-detection-for-autonomous-vehicles",
    "siim-covid19-detection",
    "vinbigdata-chest-xray-abnormalities-detection",
    "kuzushiji-recognition",
    "uw-madison-gi-tract-image-segmentation",
}
BUDGET, BOX_BUDGET = 2.5, 8.0
EXACT: dict[str, Any] = {"float_precision": "round_trip"} if pd.__version__ < "3" else {}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ids", nargs="*")
    parser.add_argument("--seconds", type=float, default=0.5)
    options = parser.parse_args()
    registry = Registry()
    ids = options.ids or registry.get_split("all") + registry.get_split("dev")
    failed = 0
    for competition_id in ids:
        with TemporaryDirectory() as folder:
            competition = Registry(Path(folder)).get_competition(competition_id)
            prepare(competition, Rehearsal())
            read, grade, rows = measure(competition, options.seconds)
        budget = BOX_BUDGET if competition_id in BOXES else BUDGET
        ratio = grade / read
        failed += ratio > budget
        verdict = "ok  " if ratio <= budget else "SLOW"
        print(
            f"{verdict} {competition_id:58} rows {rows:>9,}  read {read:6.2f} s"
            f"  grade {grade:6.2f} s  ratio {ratio:5.2f} (budget {budget})",
            flush=True,
        )
    print(f"{len(ids) - failed} of {len(ids)} within budget")
    return 1 if failed else 0


def measure(competition: Competition, goal: float) -> tuple[float, float, int]:
    """Seconds of reading and of grading (reading included) where reading takes about `goal`."""
    submission = competition.gold_submission.read_bytes()
    answers = competition.answers.read_bytes()
    grading_seconds(competition, submission)  # everything is imported now
    read = reading_seconds(submission, answers)
    while competition.answers.suffix == ".csv" and read < 0.8 * goal:
        times = min(20, max(2, round(goal / read)))
        submission, answers = (repeated(x, competition, times) for x in (submission, answers))
        read = reading_seconds(submission, answers)
    competition.answers.write_bytes(answers)
    competition.gold_submission.write_bytes(submission)
    grade = grading_seconds(competition, submission)
    return read, grade, submission.count(b"\n") - 1


def grading_seconds(competition: Competition, submission: bytes) -> float:
    def grade() -> None:
        table = parse_submission(submission, "gold.csv", submission_limits(competition))
        score_table(competition.declaration, table, load_answers(competition.answers))

    return best_of_three(grade)


def best_of_three(action: Callable[[], object]) -> float:
    times = []
    for _ in range(3):
        start = time.perf_counter()
        action()
        times.append(time.perf_counter() - start)
    return min(times)


def reading_seconds(submission: bytes, answers: bytes) -> float:
    def read() -> None:
        pd.read_csv(io.BytesIO(submission), **EXACT)
        if answers[:1] == b"{":
            pd.read_json(io.BytesIO(answers), lines=True)
        else:
            pd.read_csv(io.BytesIO(answers), **EXACT)

    return best_of_three(read)


def repeated(data: bytes, competition: Competition, times: int) -> bytes:
    """The table several times over; ids of each copy are made new by a number in front."""
    table = pd.read_csv(io.BytesIO(data), **EXACT)
    id_name = getattr(competition.declaration.submission, "id", table.columns[0])
    ids = table[id_name]
    copies = []
    for number in range(times):
        if ids.dtype.kind in "iu":
            new = ids + number * (int(ids.max()) - int(ids.min()) + 1)
        else:
            new = ids.astype(str) if number == 0 else f"{number}" + ids.astype(str)
        copies.append(table.assign(**{id_name: new}))
    return pd.concat(copies).to_csv(index=False).encode()


if __name__ == "__main__":
    sys.exit(main())
