"""How long commands take to start, as a ratio to an import in the same run.

Budgets: `mlebench --help`, `mlebench list` and `mlebench runs` at most 3 times
`python -c "import numpy"`; `mlebench grade-sample` of a small submission, the whole command,
at most 1.5 times `python -c "import pandas"`.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from mlebench.catalogue import Catalogue
from mlebench.preparing.prepare import Rehearsal, prepare

ROUNDS = 9
BUDGETS = {
    "mlebench --help": ("import numpy", 3.0),
    "mlebench list": ("import numpy", 3.0),
    "mlebench runs": ("import numpy", 3.0),
    "grade-sample": ("import pandas", 1.5),
}
SAMPLE = "spaceship-titanic"


def seconds(words: list[str]) -> float:
    start = time.perf_counter()
    subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    return time.perf_counter() - start


def commands(folder: Path) -> dict[str, list[str]]:
    """The commands to measure; the sample submission is graded on rehearsal data."""
    competition = Catalogue(folder).get_competition(SAMPLE)
    prepare(competition, Rehearsal())
    mlebench = [sys.executable, "-m", "mlebench"]
    sample = [str(competition.sample_submission), SAMPLE, "--data-dir", str(folder)]
    return {
        "import numpy": [sys.executable, "-c", "import numpy"],
        "import pandas": [sys.executable, "-c", "import pandas"],
        "mlebench --help": [*mlebench, "--help"],
        "mlebench list": [*mlebench, "list"],
        "mlebench runs": [*mlebench, "runs", "--runs-dir", str(folder)],
        "grade-sample": [*mlebench, "grade-sample", *sample],
    }


def main() -> int:
    with TemporaryDirectory() as folder:
        measured = commands(Path(folder))
        rounds = [{name: seconds(words) for name, words in measured.items()} for _ in range(ROUNDS)]
    times = {name: statistics.median(r[name] for r in rounds) for name in measured}
    is_slow = False
    for name, value in times.items():
        if name not in BUDGETS:
            print(f"{name:17} {value:.3f} s")
            continue
        yardstick, budget = BUDGETS[name]
        ratio = value / times[yardstick]
        is_slow |= ratio > budget
        print(f"{name:17} {value:.3f} s  {ratio:.2f} times {yardstick} (budget {budget})")
    return 1 if is_slow else 0


if __name__ == "__main__":
    sys.exit(main())
