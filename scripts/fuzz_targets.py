"""Coverage-guided fuzzing of what parses bytes of agents, archives and requests, with atheris.

    python scripts/fuzz_targets.py --seconds 1800 [TARGET …]

The time is shared by the targets of `tests/fuzz/targets.py`. New inputs go to `fuzz-data/corpus`;
one that fails is kept there as `crash-…`, and the exit code is 1. Copy a small one that shows a
new fault to `tests/fuzz/corpus`, which the tests replay.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.fuzz.targets import CORPUS, TARGETS

ROOT = Path(__file__).parents[1]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=1800, help="of all targets together")
    parser.add_argument("--corpus", type=Path, default=Path("fuzz-data/corpus"))
    parser.add_argument("targets", nargs="*", choices=[*TARGETS, []])
    asked = parser.parse_args()
    names = asked.targets or list(TARGETS)
    failed = []
    for name in names:
        place = (asked.corpus / name).absolute()
        place.mkdir(parents=True, exist_ok=True)
        seconds = max(1, asked.seconds // len(names))
        words = [sys.executable, "-m", "tests.fuzz.targets", name, str(place), str(CORPUS / name)]
        words += [f"-max_total_time={seconds}", f"-artifact_prefix={place}/", "-timeout=30"]
        words += ["-max_len=4096", "-rss_limit_mb=2048", "-print_final_stats=1", "-verbosity=0"]
        print(f"{name}: {seconds} s", flush=True)
        if subprocess.run(words, cwd=ROOT).returncode:
            failed.append(name)
    print(f"{len(names)} targets, failed: {', '.join(failed) or 'none'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
