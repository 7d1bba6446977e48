"""Where files lie: the folder of a competition inside the data folder."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

DATA_DIR_VARIABLE = "MLEBENCH_DATA_DIR"


def default_data_dir() -> Path:
    """`$MLEBENCH_DATA_DIR`, else the user's cache folder; nothing is created."""
    if from_environment := os.environ.get(DATA_DIR_VARIABLE):
        return Path(from_environment).expanduser()
    import platformdirs

    return Path(platformdirs.user_cache_dir()) / "mle-bench" / "data"


@dataclass(frozen=True)
class CompetitionFolder:
    """The data of one competition on disk.

    <data>/<id>/
      <id>.zip           what Kaggle serves
      raw/               its content, where somebody unpacked it
      leaderboard.csv    a full board that the user downloaded (scores only)
      prepared/
        public/          what the agent sees
        private/         answers
        manifest.json    revision, source, every file's size and hash
    """

    root: Path
    id: str

    @property
    def home(self) -> Path:
        return self.root / self.id

    @property
    def archive(self) -> Path:
        return self.home / f"{self.id}.zip"

    @property
    def raw(self) -> Path:
        return self.home / "raw"

    @property
    def leaderboard(self) -> Path:
        return self.home / "leaderboard.csv"

    @property
    def prepared(self) -> Path:
        return self.home / "prepared"

    @property
    def public(self) -> Path:
        return self.prepared / "public"

    @property
    def private(self) -> Path:
        return self.prepared / "private"

    @property
    def manifest(self) -> Path:
        return self.prepared / "manifest.json"
