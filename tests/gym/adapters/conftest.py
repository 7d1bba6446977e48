"""A hold-out of a starter competition, and settings for episodes on it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mlebench.catalogue import Catalogue
from mlebench.gym.background import close_background
from mlebench.gym.holdout import ensure_holdout
from mlebench.preparing.prepare import prepare


@pytest.fixture(scope="session")
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("gym-data")
    competition = Catalogue(root, revision="v1.1").get_competition("starter-wine")
    prepare(competition)
    ensure_holdout(competition)
    return root


@pytest.fixture
def settings(data_dir: Path, tmp_path: Path) -> Iterator[dict[str, Any]]:
    """For `SessionSettings`; programs of these tests are our own, so any sandbox will do."""
    yield {
        "competition": "starter-wine",
        "reward": "normalised+valid",
        "limits": {"steps": 5, "run_seconds": 60.0},
        "data_dir": str(data_dir),
        "logs": str(tmp_path / "episodes"),
        "sandbox": "process",
    }
    close_background()
