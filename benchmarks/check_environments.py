"""Gymnasium's own check of every environment with every reward, on rehearsal data.

Run as `python benchmarks/check_environments.py [DATA_DIR [ID...]]`, by default for all of them.
Prepares what is missing, and says for which competitions the public data allows no hold-out. Any
warning is an error. Needs bubblewrap and takes a quarter of an hour.
"""

from __future__ import annotations

import sys
import tempfile
import time
import warnings
from pathlib import Path

import gymnasium
from gymnasium.utils.env_checker import check_env

from mlebench.catalogue import Catalogue
from mlebench.gym import REWARD_NAMES
from mlebench.gym.background import close_background
from mlebench.gym.environment import environment_id
from mlebench.gym.holdout import why_no_holdout
from mlebench.preparing.prepare import Rehearsal, prepare

AT_ONCE = 8
"""So many tasks share sandboxes and processes that grade; then these are started again."""

LIMITS = {"steps": 20, "run_seconds": 20, "memory_bytes": 1 << 30}


def check(competition_id: str, data_dir: Path) -> str:
    """`passes`, or why it was not checked."""
    competition = Catalogue(data_dir, (), "v1.1").get_competition(competition_id)
    if reason := why_no_holdout(competition):
        return f"no hold-out: {reason}"
    if not competition.folder.manifest.is_file():
        is_bundled = competition.definition.make_raw is not None
        prepare(competition, None if is_bundled else Rehearsal())
    for reward in REWARD_NAMES:
        env = gymnasium.make(
            environment_id(competition_id), data_dir=str(data_dir), reward=reward, limits=LIMITS
        )
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            check_env(env.unwrapped)
        env.close()
    return "passes"


def main(data_dir: Path, ids: list[str]) -> int:
    failed = 0
    for number, competition_id in enumerate(ids or Catalogue().list_competition_ids(), 1):
        start = time.perf_counter()
        try:
            found = check(competition_id, data_dir)
        except Exception as error:  # noqa: BLE001 (the others are checked as well)
            failed += 1
            found = f"FAILS: {type(error).__name__}: {error}"
        print(f"{competition_id}: {found} ({time.perf_counter() - start:.1f} s)", flush=True)
        if number % AT_ONCE == 0:
            close_background()
    close_background()
    print(f"{failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    if len(sys.argv) > 1:
        sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
    with tempfile.TemporaryDirectory(prefix="mlebench-check-") as folder:
        sys.exit(main(Path(folder), []))
