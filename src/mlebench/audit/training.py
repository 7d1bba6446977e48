"""Trains the built-in baseline agent for the checks that need predictions of a plain model."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.errors import DataError
from mlebench.records.manifest import walk_files
from mlebench.tables import read_table

if TYPE_CHECKING:
    import pandas as pd

MOST_FILES = 50_000
SECONDS, GRACE = 60, 20
"""Of one training; `budget.py` of the agent decides what is tried in this time."""


def can_train(data: Path) -> bool:
    """Whether a folder has so few files that a training ends in time."""
    return next(islice(walk_files(data), MOST_FILES, None), None) is None


def predict(data: Path, sample: pd.DataFrame) -> pd.DataFrame | None:
    """The submission of the baseline agent; None if it has trained no model in time."""
    if not can_train(data):
        return None
    with tempfile.TemporaryDirectory(prefix="mlebench-audit-") as folder:
        out = Path(folder) / "submission.csv"
        train_baseline(data, out)
        try:
            found = read_table(out) if out.is_file() else None
        except (ValueError, DataError):
            return None
    return None if found is None or found.equals(sample) else found


def train_baseline(data: Path, out: Path) -> None:
    """Let the baseline agent write a submission; there is none if it exceeds the time limit."""
    words = [sys.executable, "-m", "mlebench.agents.baseline"]
    options = ["--data", str(data), "--out", str(out), "--seconds", str(SECONDS)]
    try:
        subprocess.run(
            [*words, *options],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=SECONDS + GRACE,
            check=False,
        )
    except subprocess.TimeoutExpired:
        out.unlink(missing_ok=True)
