"""The starter competitions: real data, honest boards, and marked as what they are."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from PIL import Image
from sklearn import datasets

from mlebench.catalogue import Catalogue
from mlebench.grading.grade import grade_file, validate
from mlebench.preparing.prepare import Rehearsal, prepare
from mlebench.records.manifest import read_manifest

ROOT = Path(__file__).parents[2]
IDS = Catalogue().get_split("starter")


@pytest.fixture(scope="module")
def starter(tmp_path_factory: pytest.TempPathFactory) -> Catalogue:
    catalogue = Catalogue(tmp_path_factory.mktemp("data"))
    for competition_id in IDS:
        prepare(catalogue.get_competition(competition_id))
    return catalogue


@pytest.mark.parametrize("competition_id", IDS)
def test_sample_is_accepted_and_answers_score_best(starter: Catalogue, competition_id: str) -> None:
    competition = starter.get_competition(competition_id)
    assert validate(competition.sample_submission, competition) is None
    sample = grade_file(competition.sample_submission, competition)
    best = grade_file(competition.gold_submission, competition)
    assert sample.valid_submission and not sample.any_medal
    assert best.gold_medal and best.rank == 1


@pytest.mark.parametrize("competition_id", IDS)
def test_preparing_again_gives_the_same_files(
    starter: Catalogue, competition_id: str, tmp_path: Path
) -> None:
    again = Catalogue(tmp_path).get_competition(competition_id)
    before = read_manifest(starter.get_competition(competition_id).folder)
    assert before is not None
    assert prepare(again).files == dict(before.files)


@pytest.mark.parametrize("competition_id", IDS)
def test_rehearsal_prepares_and_grades(competition_id: str, tmp_path: Path) -> None:
    competition = Catalogue(tmp_path).get_competition(competition_id)
    assert prepare(competition, Rehearsal(seed=3, scale=2)).is_rehearsal
    assert grade_file(competition.gold_submission, competition).is_rehearsal


def test_ids_do_not_tell_the_class(starter: Catalogue) -> None:
    """scikit-learn sorts the wines by class; numbers in that order would tell the answer."""
    wines = pd.read_csv(starter.get_competition("starter-wine").public_dir / "train.csv")
    ranks = wines["cultivar"].astype("category").cat.codes
    assert abs(np.corrcoef(wines["id"], ranks)[0, 1]) < 0.2


def targets_of(public: Path, bunch: Any) -> Any:
    """What scikit-learn knows about the rows of the public test table."""
    sought = pd.read_csv(public / "test.csv").drop(columns="id")
    return bunch.target[_rows(sought, bunch.data)]


def look_up_wine(public: Path) -> Any:
    cultivars = targets_of(public, datasets.load_wine())
    return {f"cultivar_{k + 1}": cultivars == k for k in range(3)}


def look_up_breast_cancer(public: Path) -> Any:
    return {"malignant": targets_of(public, datasets.load_breast_cancer()) == 0}


def look_up_diabetes(public: Path) -> Any:
    return {"progression": targets_of(public, datasets.load_diabetes(scaled=False))}


def look_up_digits(public: Path) -> Any:
    bunch = datasets.load_digits()
    ids = pd.read_csv(public / "sample_submission.csv")["id"]
    pictures = [np.asarray(Image.open(public / "test" / f"{i}.png")).ravel() for i in ids]
    return {"label": bunch.target[_rows(np.stack(pictures) / 255 * 16, bunch.data)]}


def _rows(sought: Any, known: Any) -> Any:
    """The nearest row of the public data: the exact one, since it is the same data."""
    distances = np.linalg.norm(np.asarray(sought)[:, None, :] - known[None, :, :], axis=2)
    return distances.argmin(axis=1)


@pytest.mark.parametrize(
    ("competition_id", "look_up", "perfect"),
    [
        ("starter-breast-cancer", look_up_breast_cancer, 1.0),
        ("starter-diabetes", look_up_diabetes, 0.0),
        ("starter-digits", look_up_digits, 1.0),
        ("starter-wine", look_up_wine, 0.0),
    ],
)
def test_look_up_agent_is_perfect_and_marked(
    starter: Catalogue,
    competition_id: str,
    look_up: Callable[[Path], Any],
    perfect: float,
    tmp_path: Path,
) -> None:
    """Everyone with scikit-learn has the answers (A09): so every output says "a demonstration"."""
    competition = starter.get_competition(competition_id)
    sample = pd.read_csv(competition.sample_submission)
    cells = {
        name: np.asarray(values) * 1 for name, values in look_up(competition.public_dir).items()
    }
    sample.assign(**cells).to_csv(tmp_path / "submission.csv", index=False)
    report = grade_file(tmp_path / "submission.csv", competition)
    assert report.score == perfect
    assert report.gold_medal and report.rank == 1
    assert report.is_demonstration and report.to_dict()["is_demonstration"]
    assert "A demonstration" in (competition.public_dir / "description.md").read_text("utf-8")
    manifest = json.loads(competition.folder.manifest.read_text("utf-8"))
    assert manifest["source"]["note"] == "answers are public: a demonstration"


def test_other_competitions_are_no_demonstration(prepared: Catalogue) -> None:
    competition = prepared.get_competition("spaceship-titanic")
    assert not grade_file(competition.sample_submission, competition).is_demonstration


@pytest.mark.parametrize("competition_id", IDS)
def test_board_is_made_of_a_hundred_pipelines_and_says_so(competition_id: str) -> None:
    competition = Catalogue().get_competition(competition_id)
    board = competition.load_leaderboard()
    facts = json.loads((competition.home / "leaderboard.json").read_text("utf-8"))
    assert 100 <= board.teams <= 200, "more than 200 would not be rebuilt exactly"
    assert len(facts["quantiles"]) == 201
    assert (board.scores[0], board.scores[-1]) == (facts["best"], facts["worst"])
    assert len(set(board.scores)) > 50
    assert "scikit-learn pipelines" in facts["entrants"]
    assert "The board is not made of people" in competition.description


@pytest.mark.parametrize(
    ("competition_id", "names"),
    [
        ("starter-breast-cancer", {"naive Bayes", "shares of the classes", "3 neighbours, scaled"}),
        ("starter-diabetes", {"mean", "least squares", "ridge 30", "8 neighbours, scaled"}),
        ("starter-digits", {"3 neighbours", "1 neighbours", "shares of the classes"}),
        ("starter-wine", {"shares of the classes", "15 neighbours, scaled", "naive Bayes"}),
    ],
)
def test_entrants_score_again_what_the_board_says(
    starter: Catalogue,
    competition_id: str,
    names: set[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.syspath_prepend(ROOT / "scripts")
    from make_starter_leaderboards import score_entrants

    competition = starter.get_competition(competition_id)
    scores = score_entrants(competition, tmp_path / "submission.csv", names)
    assert set(scores) == names
    board = competition.load_leaderboard()
    for name, score in scores.items():
        # The last digit may depend on the versions of numpy and scikit-learn.
        assert min(abs(score - known) for known in board.scores) < 2e-5, name
