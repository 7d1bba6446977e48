"""Makes one hold-out: `python -m mlebench.gym.make_holdout HOME DATA_DIR ID REVISION`.

The process of a policy starts it, and never has the answers in its own memory.
"""

from __future__ import annotations

import sys
from pathlib import Path

from mlebench.catalogue import load_competition
from mlebench.errors import BenchError
from mlebench.gym.holdout import ensure_holdout
from mlebench.records.folders import CompetitionFolder


def main(home: str, data_dir: str, competition_id: str, revision: str) -> int:
    """Returns the exit code; errors go to stderr."""
    folder = CompetitionFolder(Path(data_dir), competition_id, revision)
    try:
        ensure_holdout(load_competition(Path(home), folder))
    except BenchError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
