"""How long grading takes at the real size of each competition, before and after a change.

The rehearsal's files are grown to the rows of the real data (`real_size.py`), and every third row
gets the prediction of another row. They are read by plain pandas, and graded, from the file to the
score, by the package of this checkout and, if wanted, by that of another one. These take turns,
each in a process of its own; the best processor time of several rounds counts. Scores must be
equal. `--whole` measures the command `mlebench grade-sample` from its start to its end, with
submissions below 2 MB.

    git worktree add ../old 5891d34
    python benchmarks/grade.py --before ../old/src [--rounds 3] [--json FILE] [--shuffled] [ID …]
    python benchmarks/grade.py --before ../old/src --whole [ID …]
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pandas as pd
from growing import EXACT, Grown
from real_size import ROWS

from mlebench.catalogue import Catalogue
from mlebench.doctor.rehearsal_time import processor_seconds
from mlebench.preparing.prepare import Rehearsal, prepare

LIMIT = 1.3
"""How many times the processor time before all gradings together may take."""

SMALL = 2_000_000
"""Bytes of a small submission."""

SOURCE = Path(__file__).parents[1] / "src"
GRADE = """
import sys, time
from pathlib import Path
from mlebench.catalogue import Catalogue
from mlebench.grading.grade import judge

folder = Path(sys.argv[1])
competition = Catalogue(folder).get_competition(sys.argv[2])
submission = folder / "submission.csv"
judge(submission, competition) if submission.stat().st_size < 16 << 20 else None
start, work = time.perf_counter(), time.process_time()
verdict = judge(submission, competition)
print(time.process_time() - work, time.perf_counter() - start, verdict.score, verdict.reason)
"""
"""Small files are graded twice: what is imported at the first time is `start.py`'s concern."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ids", nargs="*")
    parser.add_argument("--before", type=Path, help="the `src` folder of another checkout")
    parser.add_argument("--shuffled", action="store_true", help="rows in another order")
    parser.add_argument("--whole", action="store_true", help="whole commands, small files")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=Path, help="where to write the figures")
    options = parser.parse_args()
    sources = [source for source in (options.before, SOURCE) if source]
    figures = {}
    for competition_id in options.ids or ROWS:
        with TemporaryDirectory() as folder:
            rows = write_real_files(Path(folder), competition_id, is_shuffled=options.shuffled)
            if options.whole and (Path(folder) / "submission.csv").stat().st_size > SMALL:
                continue
            grade = run_command if options.whole else graded
            found = compare(Path(folder), competition_id, sources, options.rounds, grade)
        figures[competition_id] = found = {"rows": rows, **found}
        times = "  ".join(f"{seconds:7.3f} s" for seconds in found["processor_seconds"])
        if options.json:
            options.json.write_text(json.dumps(figures, indent=2) + "\n")
        print(
            f"{competition_id:58} rows {rows:>10,}  reading {found['reading_seconds']:7.3f} s"
            f"  grading {times}",
            flush=True,
        )
    totals = [
        sum(found["processor_seconds"][k] for found in figures.values())
        for k in range(len(sources))
    ]
    print(f"{len(figures)} competitions: " + ", ".join(f"{total:.2f} s" for total in totals))
    return int(totals[-1] > LIMIT * totals[0])


def write_real_files(folder: Path, competition_id: str, *, is_shuffled: bool = False) -> int:
    """Prepare a rehearsal and grow it to the real size; returns the rows of the submission."""
    competition = Catalogue(folder).get_competition(competition_id)
    prepare(competition, Rehearsal())
    grown = Grown.of(competition, is_shuffled=is_shuffled)
    copies = max(round(ROWS[competition_id] / grown.rows_per_copy), 1)
    grown.write(competition, folder / "submission.csv", copies)
    return copies * grown.rows_per_copy


def compare(
    folder: Path,
    competition_id: str,
    sources: list[Path],
    rounds: int,
    grade: Callable[[Path, str, Path], list[str]],
) -> dict[str, Any]:
    """The best processor time and time by the clock with each source; equal scores."""
    times: list[list[tuple[float, float]]] = [[] for _ in sources]
    verdicts = set()
    start = time.perf_counter()
    for _ in range(rounds):
        for source, found in zip(sources, times, strict=True):
            seconds, clock, *verdict = grade(folder, competition_id, source)
            found.append((float(seconds), float(clock)))
            verdicts.add(" ".join(verdict))
        if time.perf_counter() - start > 60:
            break
    if len(verdicts) != 1 or "None" not in min(verdicts).split()[1:2]:
        raise SystemExit(f"{competition_id}: {verdicts}")
    best = [[min(column) for column in zip(*found, strict=True)] for found in times]
    seconds, clocks = zip(*best, strict=True)
    reading = min(read_both(folder, competition_id) for _ in range(rounds))
    return {"reading_seconds": reading, "processor_seconds": seconds, "clock_seconds": clocks}


def read_both(folder: Path, competition_id: str) -> float:
    """The processor time of what anybody would call first: pandas on submission and answers."""
    answers = Catalogue(folder).get_competition(competition_id).answers
    start = time.process_time()
    pd.read_csv(folder / "submission.csv", **EXACT)
    if answers.suffix == ".jsonl":
        pd.read_json(answers, lines=True)
    else:
        pd.read_csv(answers, **EXACT)
    return time.process_time() - start


def graded(folder: Path, competition_id: str, source: Path) -> list[str]:
    """Processor time, time by the clock, score and reason of one grading."""
    environment = {**os.environ, "PYTHONPATH": str(source.resolve())}
    words = [sys.executable, "-c", GRADE, str(folder), competition_id]
    done = subprocess.run(words, env=environment, check=True, capture_output=True, text=True)
    return done.stdout.split()


def run_command(folder: Path, competition_id: str, source: Path) -> list[str]:
    """The same of the whole command."""
    environment = {**os.environ, "PYTHONPATH": str(source.resolve())}
    file = folder / "submission.csv"
    words = [sys.executable, "-m", "mlebench", "grade-sample", str(file), competition_id]
    work, start = processor_seconds(), time.perf_counter()
    done = subprocess.run(
        [*words, "--data-dir", str(folder), "--json"],
        env=environment,
        check=True,
        capture_output=True,
        text=True,
    )
    clock = time.perf_counter() - start
    score = json.loads(done.stdout)["score"]
    return [str(processor_seconds() - work), str(clock), str(score), "None"]


if __name__ == "__main__":
    sys.exit(main())
