"""Published files: competition folders in the cache, splits, modules with hyphens, the layout."""

from __future__ import annotations

import importlib
import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
import yaml

import mlebench.data
import mlebench.registry
from mlebench import utils
from mlebench.catalogue import Catalogue, published
from mlebench.errors import UsageError
from mlebench.registry import Registry, registry

CONFIG = "awards_medals competition_type dataset description grader id name preparer prizes".split()
FILES = "config.yaml description.md leaderboard.csv checksums.yaml grade.py prepare.py kernels.txt"
GRADERS = {
    # From the table of published names: frequent ones, odd ones, one misspelt as published.
    "aerial-cactus-identification": "auc-roc",
    "cassava-leaf-disease-classification": "accuracy",
    "imet-2020-fgvc7": "micro-f1-score",
    "ventilator-pressure-prediction": "dice-hausdorff-combo",
    "multi-modal-gesture-recognition": "levenhstein-distance",
    "denoising-dirty-documents": "root_mean_squared_error",
    "vinbigdata-chest-xray-abnormalities-detection": "mAP-at-IoU>0.4",
    "jigsaw-toxic-comment-classification-challenge": "column-wise ROC AUC",
    "h-and-m-personalized-fashion-recommendations": "MAP@12",
    "hms-harmful-brain-activity-classification": "KL-divergence",
}
SPLITS = {
    "dev": 7,
    "low": 22,
    "medium": 38,
    "high": 15,
    "split75": 75,
    "systemcard": 30,
    "spaceship-titanic": 1,
}


def run_python(code: str, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | variables
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment
    )


def test_modules_are_single_files() -> None:
    assert Path(str(mlebench.data.__file__)).name == "data.py"
    assert Path(str(mlebench.registry.__file__)).name == "registry.py"
    assert Path(str(mlebench.__file__)).parent.parent == utils.get_repo_dir()


@pytest.mark.parametrize("competition_id", registry.list_competition_ids())
def test_competition_folder(competition_id: str) -> None:
    """Read as a converter does: from the files alone."""
    folder = registry.get_competitions_dir() / competition_id
    assert set(FILES.split()) <= {file.name for file in folder.iterdir()}
    config = yaml.safe_load((folder / "config.yaml").read_text("utf-8"))
    assert sorted(config) == CONFIG
    assert config["id"] == competition_id
    assert (folder.parent.parent / "competitions" / competition_id / "description.md").is_file()
    assert config["grader"]["name"] == GRADERS.get(competition_id, config["grader"]["name"])
    competition = registry.get_competition(competition_id)
    assert competition.grader.name == config["grader"]["name"]
    assert utils.import_fn(config["grader"]["grade_fn"]) is competition.grader.grade_fn
    assert utils.import_fn(config["preparer"]) is competition.prepare_fn
    assert mlebench.data.is_valid_prepare_fn(competition.prepare_fn)
    data_dir = registry.get_data_dir()
    assert data_dir / config["dataset"]["answers"] == competition.answers
    assert data_dir / config["dataset"]["sample_submission"] == competition.sample_submission
    assert data_dir / config["dataset"]["gold_submission"] == competition.gold_submission
    assert (folder / "description.md").read_text("utf-8") == competition.description
    checksums = utils.load_yaml(competition.checksums)
    assert set(checksums) == {"zip", "public", "private"}
    scores = pd.read_csv(competition.leaderboard)["score"]
    assert scores.is_monotonic_decreasing or scores.is_monotonic_increasing


def test_there_are_82_folders() -> None:
    names = sorted(folder.name for folder in registry.get_competitions_dir().iterdir())
    assert names == registry.list_competition_ids()
    assert len(names) == 82


@pytest.mark.parametrize(("split", "count"), SPLITS.items())
def test_splits(split: str, count: int) -> None:
    lines = (registry.get_splits_dir() / f"{split}.txt").read_text("utf-8").splitlines()
    assert len(set(lines)) == len(lines) == count
    assert set(lines) <= set(registry.list_competition_ids())


def test_hyphenated_modules_of_every_competition() -> None:
    for competition_id in registry.list_competition_ids():
        package = f"mlebench.competitions.{competition_id}"
        assert callable(importlib.import_module(f"{package}.grade").grade)
        prepare = importlib.import_module(f"{package}.prepare").prepare
        assert utils.get_path_to_callable(prepare).is_file()


@pytest.mark.parametrize(
    "name", ["spaceship_titanic.grade", "no-such-one.grade", "spaceship-titanic.rehearsal"]
)
def test_no_other_module_appears(name: str) -> None:
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module(f"mlebench.competitions.{name}")


def test_a_hyphenated_module_prepares_and_grades(prepared: Catalogue, tmp_path: Path) -> None:
    package = "mlebench.competitions.leaf-classification"
    raw, public, private = tmp_path / "raw", tmp_path / "public", tmp_path / "private"
    for folder in (raw, public, private):
        folder.mkdir()
    ours = prepared.get_competition("leaf-classification")
    ours.make_rehearsal(raw, 0, 1)
    importlib.import_module(f"{package}.prepare").prepare(raw, public, private)
    assert (private / "test.csv").read_bytes() == ours.answers.read_bytes()
    answers = utils.load_answers(private / "test.csv")
    grade = importlib.import_module(f"{package}.grade").grade
    assert grade(answers, answers) < 0.01


ASK = """
from mlebench.registry import registry
print(len(list(registry.get_competitions_dir().iterdir())))
print(registry.get_competition("spaceship-titanic").leaderboard)
"""


def test_two_processes_make_the_folders_at_once(tmp_path: Path) -> None:
    environment = os.environ | {"XDG_CACHE_HOME": str(tmp_path)}
    words = [sys.executable, "-c", ASK]
    both = [
        subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    for process in both:
        count, board = process.communicate()[0].split()
        assert process.returncode == 0
        assert count == "82"
        assert Path(board).is_relative_to(tmp_path)
        assert Path(board).read_text().startswith("score\n")


def test_a_cache_that_cannot_be_written_costs_a_sentence(tmp_path: Path) -> None:
    # A file in place of the folder also stops root, whom no permission stops.
    (tmp_path / "mle-bench").write_text("in the way")
    done = run_python(ASK, XDG_CACHE_HOME=str(tmp_path))
    count, board = done.stdout.split()
    assert count == "82", done.stderr
    assert not Path(board).exists()
    assert "cannot be written" in done.stderr
    assert "Traceback" not in done.stderr


def test_without_any_folder_the_message_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    monkeypatch.setenv("XDG_CACHE_HOME", str(blocked))
    monkeypatch.setattr(published, "_temporary_dir", lambda: blocked / "none")
    with pytest.raises(UsageError, match="can be written") as caught:
        registry.get_competition("spaceship-titanic")
    assert "XDG_CACHE_HOME" in str(caught.value.hint)


def test_a_folder_made_from_another_state_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    competition = Registry(tmp_path).get_competition("spaceship-titanic")
    board = competition.leaderboard.read_bytes()
    competition.leaderboard.write_text("score\n1\n")
    (competition.leaderboard.parent / published.STAMP).write_text("older")
    assert Registry(tmp_path).get_competition(competition.id).leaderboard.read_bytes() == board
