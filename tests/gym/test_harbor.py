"""Harbor tasks: their layout, their reward file, and where the answers are."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from mlebench.catalogue import Catalogue
from mlebench.errors import UsageError
from mlebench.gym.harbor import export_harbor
from mlebench.preparing.prepare import prepare

WINE = "starter-wine"


@pytest.fixture(scope="module")
def task(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("harbor")
    catalogue = Catalogue(root / "data", revision="v1.1")
    prepare(catalogue.get_competition(WINE))
    (written,) = export_harbor(catalogue, [WINE], root / "tasks", reward="normalised+valid")
    with pytest.raises(UsageError, match="exists already"):
        export_harbor(catalogue, [WINE], root / "tasks")
    return written


def verify(task: Path, place: Path, submission: Path | None) -> float:
    """Run `tests/test.sh` with its paths moved to a folder of the test."""
    home = place / "home"
    home.mkdir()
    if submission:
        shutil.copyfile(submission, home / "submission.csv")
    text = (task / "tests" / "test.sh").read_text()
    moved = {
        "/tests/data": task / "tests" / "data",
        "/home/submission": home,
        "/logs/verifier": place,
        "python3": sys.executable,
    }
    for old, new in moved.items():
        assert old in text
        text = text.replace(old, str(new))
    environment = {**os.environ, "PYTHONWARNINGS": "ignore"}
    subprocess.run(["sh", "-c", text], check=True, timeout=120, env=environment)
    return float((place / "reward.txt").read_text())


def test_the_reward_file(task: Path, tmp_path: Path) -> None:
    private = task / "tests" / "data" / WINE / "holdout-v1.1" / "private"
    data = task / "environment" / "data"
    files = {
        "gold": (private / "gold_submission.csv", 1.05),
        "sample": (data / "sample_submission.csv", 0.05),
        "wrong": (data / "train.csv", 0.0),
        "none": (None, 0.0),
    }
    for name, (file, reward) in files.items():
        (tmp_path / name).mkdir()
        assert verify(task, tmp_path / name, file) == pytest.approx(reward), name


def test_the_image_has_no_answer(task: Path) -> None:
    answers = task / "tests" / "data" / WINE / "holdout-v1.1" / "private" / "test.csv"
    lines = answers.read_bytes().splitlines()[1:]
    for file in (task / "environment").rglob("*"):
        if file.is_file():
            content = file.read_bytes()
            assert not any(line in content.splitlines() for line in lines), file
    assert not list((task / "environment").rglob("private"))


def test_the_layout(task: Path) -> None:
    facts = tomllib.loads((task / "task.toml").read_text())
    assert facts["metadata"]["split"] == "train"
    assert {"agent", "verifier", "environment"} <= facts.keys()
    assert (task / "tests" / "test.sh").stat().st_mode & 0o111
    assert "COPY data /home/data" in (task / "environment" / "Dockerfile").read_text()
    assert "Starter: Wine" in (task / "instruction.md").read_text()
