"""How long commands take to start, as a ratio to `python -c "import numpy"` in the same run.

Budget: `mlebench --help` and `mlebench list` at most 3 times that.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time

ROUNDS = 9
BUDGET = 3.0


def seconds(words: list[str]) -> float:
    start = time.perf_counter()
    subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    return time.perf_counter() - start


def main() -> int:
    commands = {
        "import numpy": [sys.executable, "-c", "import numpy"],
        "mlebench --help": [sys.executable, "-m", "mlebench", "--help"],
        "mlebench list": [sys.executable, "-m", "mlebench", "list"],
    }
    rounds = [{name: seconds(words) for name, words in commands.items()} for _ in range(ROUNDS)]
    times = {name: statistics.median(r[name] for r in rounds) for name in commands}
    yardstick = times.pop("import numpy")
    print(f"import numpy      {yardstick:.3f} s")
    for name, value in times.items():
        print(f"{name:17} {value:.3f} s  ratio {value / yardstick:.2f} (budget {BUDGET})")
    return 0 if all(value <= BUDGET * yardstick for value in times.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
