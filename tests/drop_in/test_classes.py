"""The published classes: constructors, copies, ranks, reports."""

from __future__ import annotations

import copy
import dataclasses
import importlib
import json
import logging
import pickle
import shutil
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from mlebench.catalogue import Catalogue
from mlebench.data import download_and_prepare_dataset, get_leaderboard, is_dataset_prepared
from mlebench.errors import DataError, UsageError
from mlebench.grade import grade_csv, validate_submission
from mlebench.grade_helpers import CompetitionReport, Grader, InvalidSubmissionError
from mlebench.registry import DEFAULT_DATA_DIR, Competition, Registry, registry

FIELDS = (
    "id name description grader answers gold_submission sample_submission competition_type"
    " prepare_fn raw_dir private_dir public_dir checksums leaderboard"
).split()


def half_right(submission: pd.DataFrame, answers: pd.DataFrame) -> np.float64:
    """A grader of somebody else: it refuses a file without `x` and fails where `x` is text."""
    if "x" not in submission.columns:
        raise InvalidSubmissionError("there is no x")
    return np.float64((submission["x"] + answers["x"] * 0).mean())


def prepare_x(raw: Path, public: Path, private: Path) -> Path:
    (public / "sample_submission.csv").write_text("x\n0\n1\n")
    (private / "answers.csv").write_bytes((raw / "train.csv").read_bytes())
    return public


@pytest.fixture
def own(tmp_path: Path) -> Competition:
    """A competition made by hand, with a grader, a preparation and a board of its own."""
    home = tmp_path / "data" / "my-own"
    values: dict[str, Any] = {
        "id": "my-own",
        "name": "My own",
        "description": "Guess x.",
        "grader": {"name": "mean-x", "grade_fn": f"{__name__}:half_right"},
        "answers": home / "prepared" / "private" / "answers.csv",
        "gold_submission": home / "prepared" / "private" / "answers.csv",
        "sample_submission": home / "prepared" / "public" / "sample_submission.csv",
        "competition_type": "simple",
        "prepare_fn": prepare_x,
        "raw_dir": home / "raw",
        "public_dir": home / "prepared" / "public",
        "private_dir": home / "prepared" / "private",
        "checksums": tmp_path / "checksums.yaml",
        "leaderboard": tmp_path / "board.csv",
        "awards_medals": False,
    }
    for name in ("raw_dir", "public_dir", "private_dir"):
        values[name].mkdir(parents=True)
    (home / "raw" / "train.csv").write_text("x\n1\n1\n")
    (tmp_path / "board.csv").write_text("\n".join(["score", *(f"0.{k}" for k in range(10, 60))]))
    competition = Competition.from_dict(values)
    competition.prepare_fn(
        raw=competition.raw_dir, public=competition.public_dir, private=competition.private_dir
    )
    return competition


def test_competition_is_a_frozen_dataclass_with_the_published_fields(titanic: Competition) -> None:
    assert [field.name for field in dataclasses.fields(Competition)] == FIELDS
    with pytest.raises(dataclasses.FrozenInstanceError):
        titanic.id = "other"  # type: ignore[misc]
    values = {name: getattr(titanic, name) for name in FIELDS}
    assert Competition(**values) == titanic
    assert Competition.from_dict(values | {"awards_medals": True}) == titanic


@pytest.mark.parametrize("name", FIELDS)
def test_a_missing_key_is_a_value_error(titanic: Competition, name: str) -> None:
    values = {field: getattr(titanic, field) for field in FIELDS if field != name}
    with pytest.raises(ValueError, match=name):
        Competition.from_dict(values)


def test_competition_from_a_config_file(published: Registry, titanic: Competition) -> None:
    from mlebench.utils import load_yaml

    config = load_yaml(published.get_competitions_dir() / titanic.id / "config.yaml")
    paths = {name: getattr(titanic, name) for name in FIELDS if name not in config}
    del paths["prepare_fn"]
    made = Competition.from_dict({**config, **paths, "description": titanic.description})
    assert made == titanic


def wrong_copy(change: Callable[[Competition, Path], Competition]) -> Any:
    return pytest.param(change, id=change.__name__)


def replaced(competition: Competition, answers: Path) -> Competition:
    return dataclasses.replace(competition, answers=answers)


def copied(competition: Competition, answers: Path) -> Competition:
    other = copy.copy(competition)
    object.__setattr__(other, "answers", answers)
    return other


@pytest.mark.parametrize("change", [wrong_copy(replaced), wrong_copy(copied)])
def test_a_copy_with_other_answers_grades_against_those(
    titanic: Competition, tmp_path: Path, change: Callable[[Competition, Path], Competition]
) -> None:
    table = pd.read_csv(titanic.answers)
    right = len(table) // 4
    table.loc[right:, "Transported"] = ~table.loc[right:, "Transported"]
    table.to_csv(tmp_path / "answers.csv", index=False)
    other = change(titanic, tmp_path / "answers.csv")
    assert grade_csv(titanic.gold_submission, other).score == round(right / len(table), 5)
    assert grade_csv(titanic.gold_submission, titanic).score == 1.0


def test_another_leaderboard_counts(titanic: Competition, tmp_path: Path) -> None:
    board = tmp_path / "board.csv"
    board.write_text("score\n" + "\n".join(str(2 - k / 100) for k in range(120)))
    report = grade_csv(titanic.gold_submission, dataclasses.replace(titanic, leaderboard=board))
    # 120 teams: gold is rank 10, silver rank 24, bronze rank 48.
    assert (report.gold_threshold, report.silver_threshold) == (1.91, 1.77)
    assert (report.bronze_threshold, report.median_threshold) == (1.53, 1.405)
    assert not report.any_medal
    assert not report.is_lower_better


def test_competitions_can_be_pickled(titanic: Competition) -> None:
    assert pickle.loads(pickle.dumps(titanic)) == titanic


def test_a_competition_made_by_hand(own: Competition, tmp_path: Path) -> None:
    file = tmp_path / "submission.csv"
    file.write_text("x\n0.3\n0.4000151\n")
    report = grade_csv(file, own)
    # The mean is 0.35000755; the board rises, so that lower is better.
    assert (report.competition_id, report.score) == ("my-own", 0.35001)
    assert report.is_lower_better
    # 50 teams: gold is rank 5, silver rank 10, bronze rank 20.
    assert (report.gold_threshold, report.silver_threshold, report.bronze_threshold) == (
        0.14,
        0.19,
        0.29,
    )
    assert not report.above_median
    assert validate_submission(file, own) == (True, "Submission is valid.")


@pytest.mark.parametrize(("text", "word"), [("y\n1\n", "there is no x"), ("x\na\nb\n", "failed")])
def test_what_a_foreign_grader_refuses(
    own: Competition, tmp_path: Path, text: str, word: str
) -> None:
    file = tmp_path / "submission.csv"
    file.write_text(text)
    report = grade_csv(file, own)
    assert (report.score, report.valid_submission, report.submission_exists) == (None, False, True)
    assert word in str(report.reason)
    valid, message = validate_submission(file, own)
    assert not valid
    assert message.startswith("Submission invalid! ")
    assert word in message


def test_registry_over_a_folder(tmp_path: Path) -> None:
    assert Registry()._data_dir == registry.get_data_dir() == DEFAULT_DATA_DIR.resolve()
    moved = Registry(data_dir=tmp_path)
    assert moved._data_dir == moved.get_data_dir() == tmp_path
    assert moved.set_data_dir(tmp_path / "a").get_data_dir() == tmp_path / "a"
    assert moved.get_data_dir() == tmp_path
    assert set(registry.get_lite_competition_ids()) < set(registry.list_competition_ids())
    with pytest.raises(UsageError, match="did you mean 'spaceship-titanic'"):
        registry.get_competition("spaceship-titanik")


def test_the_default_folder_follows_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program may import first and set the folder afterwards; a folder once given stays."""
    given = Registry(tmp_path / "given")
    monkeypatch.setenv("MLEBENCH_DATA_DIR", str(tmp_path / "late"))
    late = importlib.import_module("mlebench.registry").DEFAULT_DATA_DIR
    assert late == registry.get_data_dir() == registry._data_dir == tmp_path / "late"
    assert registry.get_competition("AI4Code").raw_dir == tmp_path / "late" / "AI4Code" / "raw"
    assert given.get_data_dir() == tmp_path / "given"
    given._data_dir = tmp_path / "set"
    assert given.get_data_dir() == copy.copy(given).get_data_dir() == tmp_path / "set"
    with pytest.raises(AttributeError, match="no attribute 'DEFAULT_RUNS_DIR'"):
        _ = importlib.import_module("mlebench.registry").DEFAULT_RUNS_DIR


def test_starter_competitions_are_not_listed_but_found(tmp_path: Path) -> None:
    competition = Registry(tmp_path).get_competition("starter-wine")
    assert competition.id not in Registry(tmp_path).list_competition_ids()
    assert competition.leaderboard.read_text().startswith("score\n")
    for folder in (competition.raw_dir, competition.public_dir, competition.private_dir):
        folder.mkdir(parents=True)
    made = Catalogue().get_competition("starter-wine").definition.make_raw
    assert made is not None
    made(competition.raw_dir)
    competition.prepare_fn(
        raw=competition.raw_dir, public=competition.public_dir, private=competition.private_dir
    )
    assert grade_csv(competition.gold_submission, competition).valid_submission


def test_grader(titanic: Competition, caplog: pytest.LogCaptureFixture) -> None:
    path = "mlebench.competitions.spaceship-titanic.grade:grade"
    grader = Grader.from_dict({"name": "accuracy", "grade_fn": path})
    assert grader == Grader("accuracy", path) == titanic.grader
    assert grader.name == "accuracy"
    with pytest.raises(ValueError, match="grade_fn"):
        Grader.from_dict({"name": "accuracy"})
    answers = pd.read_csv(titanic.answers)
    assert grader(answers, answers) == grader.grade_fn(answers, answers) == 1.0
    with caplog.at_level(logging.WARNING):
        assert grader(answers.iloc[1:], answers) is None
    assert caplog.messages[-1].startswith("Invalid submission: ")
    with pytest.raises(InvalidSubmissionError):
        grader.grade_fn(answers.iloc[1:], answers)


def test_a_grader_that_fails_gives_none(caplog: pytest.LogCaptureFixture) -> None:
    grader = Grader("broken", f"{__name__}:half_right")
    frame = pd.DataFrame({"x": ["a"]})
    assert grader(frame, frame) is None
    assert "broken" in caplog.text


@pytest.mark.parametrize(
    ("score", "expected"),
    [(0.790625, 0.79063), (np.float64(0.790625), 0.79062), (np.float64(0.871875), 0.87188)],
)
def test_the_type_of_a_score_decides_how_it_is_rounded(score: float, expected: float) -> None:
    assert Grader("any", lambda submission, answers: score)(pd.DataFrame(), None) == expected


def test_rank_score(titanic: Competition) -> None:
    falling = pd.DataFrame({"score": [k / 1000 for k in range(1000, 0, -1)]})
    rising = pd.DataFrame({"score": [k / 1000 for k in range(1, 1001)]})
    grader = titanic.grader
    assert grader.is_lower_better(rising)
    assert not grader.is_lower_better(falling)
    # 1,000 teams: gold is rank 12, silver rank 50, bronze rank 100.
    assert grader.rank_score(np.float64(0.96), falling) == {
        "gold_medal": False,
        "silver_medal": True,
        "bronze_medal": False,
        "above_median": True,
        "gold_threshold": 0.989,
        "silver_threshold": 0.951,
        "bronze_threshold": 0.901,
        "median_threshold": 0.5005,
    }
    assert grader.rank_score(0.012, rising)["gold_medal"] is True
    assert not any(value is True for value in grader.rank_score(None, rising).values())


def test_report_construction_and_json() -> None:
    time = datetime(2024, 10, 9, 12, 0, 0)
    values = ["spaceship-titanic", np.float64(0.5), 0.9, 0.8, 0.7, 0.6]
    values += [np.bool_(False)] * 5 + [True, True, np.bool_(False), time, "submission.csv"]
    report = CompetitionReport(*values)
    told = report.to_dict()
    assert json.loads(json.dumps(told)) == told
    assert type(told["score"]) is float
    assert type(told["above_median"]) is bool
    assert told["created_at"] == "2024-10-09T12:00:00"
    names = list(told)[:16]
    assert CompetitionReport(**dict(zip(names, values, strict=True))) == report
    assert CompetitionReport.from_dict(told) == report
    assert CompetitionReport.from_dict({name: told[name] for name in names}) == report


def test_every_board_file_has_the_thresholds_of_its_summary() -> None:
    """The CSV that importers read ranks as our own boards do, for all 82."""
    wrong = {}
    for competition_id in registry.list_competition_ids():
        competition = registry.get_competition(competition_id)
        summary = json.loads(
            (Catalogue().home_of(competition_id) / "leaderboard.json").read_text("utf-8")
        )
        board = get_leaderboard(competition)
        ranked = competition.grader.rank_score(None, board)
        found = {
            name: ranked[f"{name}_threshold"] for name in ("gold", "silver", "bronze", "median")
        }
        found |= {"teams": len(board)}
        found |= {"lower_is_better": competition.grader.is_lower_better(board)}
        if found != {name: summary[name] for name in found}:
            wrong[competition_id] = found
    assert wrong == {}


def test_a_competition_made_by_hand_is_prepared_by_its_own_function(own: Competition) -> None:
    shutil.rmtree(own.public_dir.parent)
    assert not is_dataset_prepared(own)
    download_and_prepare_dataset(own)
    assert is_dataset_prepared(own)
    assert own.answers.read_text() == "x\n1\n1\n"
    assert (own.public_dir / "description.md").read_text() == own.description
    assert not list(own.public_dir.parent.glob(".raw-*"))


def test_official_checksums_of_a_competition_made_by_hand_count(own: Competition) -> None:
    shutil.rmtree(own.public_dir.parent)
    own.checksums.write_text("private: {answers.csv: 00000000000000000000000000000000}\n")
    with pytest.raises(DataError, match=r"private/answers\.csv"):
        download_and_prepare_dataset(own)
    download_and_prepare_dataset(own, skip_verification=True)
    assert is_dataset_prepared(own)
