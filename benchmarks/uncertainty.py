"""What the standard error of a score adds to the time of a grading, from the file to the report.

Every competition is graded at the size of its rehearsal, and those named after `--real` at their
real size (`real_size.py`); gradings with and without the standard error take turns in one process,
and the best processor time of several rounds counts. Fails if a grading takes more than twice as
long.

    python benchmarks/uncertainty.py [--rounds 7] [--real] [--revision v1.1] [ID …]
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from grade import write_real_files
from real_size import ROWS

from mlebench.catalogue import Catalogue, LocatedCompetition
from mlebench.grading.grade import judge, make_report
from mlebench.preparing.prepare import Rehearsal, prepare
from mlebench.version import REVISIONS

LIMIT = 2.0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ids", nargs="*")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--real", action="store_true", help="at the real size")
    parser.add_argument("--revision", default="v1", choices=REVISIONS)
    options = parser.parse_args()
    ratios = {}
    for competition_id in options.ids or ROWS:
        with TemporaryDirectory() as folder:
            competition = Catalogue(Path(folder), revision=options.revision).get_competition(
                competition_id
            )
            submission = Path(folder) / "submission.csv"
            if options.real:
                write_real_files(Path(folder), competition_id)
            else:
                prepare(competition, Rehearsal())
                submission.write_bytes(competition.sample_submission.read_bytes())
            plain, full, found = measure(submission, competition, options.rounds)
        ratios[competition_id] = full / plain
        print(
            f"{competition_id:58} {plain:9.4f} s {full:9.4f} s {full / plain:5.2f}  {found}",
            flush=True,
        )
    worst = max(ratios, key=lambda name: ratios[name])
    mean = sum(ratios.values()) / len(ratios)
    print(f"{len(ratios)} competitions: mean {mean:.2f}, worst {ratios[worst]:.2f} ({worst})")
    return int(ratios[worst] > LIMIT)


def measure(
    submission: Path, competition: LocatedCompetition, rounds: int
) -> tuple[float, float, str]:
    """The best processor times without and with the standard error, and what was found."""
    seconds: tuple[list[float], list[float]] = [], []
    for _ in range(rounds + 1):
        for is_full, times in enumerate(seconds):
            start = time.process_time()
            verdict = judge(submission, competition)
            if not is_full:
                verdict = replace(verdict, error=None)
            report = make_report(submission, competition, verdict)
            times.append(time.process_time() - start)
    found = report.uncertainty
    words = "no score" if found is None else f"{found.standard_error} {found.reason or ''}"
    # The first round imports libraries.
    return min(seconds[0][1:]), min(seconds[1][1:]), words


if __name__ == "__main__":
    sys.exit(main())
