"""The drop-in surface: names, signatures and outputs that programs written for the published
package rely on."""

from __future__ import annotations

import inspect
import json
import logging
import subprocess
import sys
from datetime import datetime
from pathlib import Path

import pandas as pd
import pytest

import mlebench.data
import mlebench.grade
import mlebench.registry
import mlebench.utils
from mle_bench.validation import validate_submission as mle_bench_validate
from mlebench.catalogue import Catalogue
from mlebench.grade import grade_csv, grade_jsonl, validate_submission
from mlebench.grade_helpers import CompetitionReport, Grader, InvalidSubmissionError
from mlebench.registry import Competition, Registry, registry

REPORT_FIELDS = [
    "competition_id",
    "score",
    "gold_threshold",
    "silver_threshold",
    "bronze_threshold",
    "median_threshold",
    "any_medal",
    "gold_medal",
    "silver_medal",
    "bronze_medal",
    "above_median",
    "submission_exists",
    "valid_submission",
    "is_lower_better",
    "created_at",
    "submission_path",
]
SUMMARY_FIELDS = [
    "total_runs",
    "total_runs_with_submissions",
    "total_valid_submissions",
    "total_medals",
    "total_gold_medals",
    "total_silver_medals",
    "total_bronze_medals",
    "total_above_median",
    "competition_reports",
]


def parameters(function: object) -> list[str]:
    return list(inspect.signature(function).parameters)  # type: ignore[arg-type]


def defaults(function: object) -> dict[str, object]:
    found = inspect.signature(function).parameters  # type: ignore[arg-type]
    return {n: p.default for n, p in found.items() if p.default is not inspect.Parameter.empty}


def test_registry(tmp_path: Path) -> None:
    moved = registry.set_data_dir(tmp_path)
    assert isinstance(registry, Registry)
    assert moved is not registry
    assert moved.get_data_dir() == tmp_path
    assert Registry(tmp_path).get_data_dir() == tmp_path
    assert len(registry.get_lite_competition_ids()) == 22
    ids = registry.list_competition_ids()
    assert len(ids) == 82
    assert ids == sorted(ids)
    for split, count in (("low", 22), ("medium", 38), ("high", 15), ("all", 75), ("dev", 7)):
        lines = (registry.get_splits_dir() / f"{split}.txt").read_text().split("\n")
        assert len([line for line in lines if line]) == count
        assert lines[-1] == ""
    assert (registry.get_competitions_dir() / "spaceship-titanic").is_dir()


def test_competition(prepared: Catalogue, published: Registry, tmp_path: Path) -> None:
    competition = published.get_competition("spaceship-titanic")
    home = published.get_data_dir() / "spaceship-titanic"
    assert isinstance(competition, Competition)
    assert (competition.id, competition.name) == ("spaceship-titanic", "Spaceship Titanic")
    assert competition.competition_type == "simple"
    assert "PassengerId" in competition.description
    assert isinstance(competition.grader, Grader)
    assert competition.raw_dir == home / "raw"
    assert competition.public_dir == home / "prepared" / "public"
    assert competition.private_dir == home / "prepared" / "private"
    for file in (
        competition.answers,
        competition.gold_submission,
        competition.sample_submission,
        competition.checksums,
        competition.leaderboard,
    ):
        assert isinstance(file, Path)
        assert file.is_file()
    raw, public, private = tmp_path / "raw", tmp_path / "public", tmp_path / "private"
    for folder in (raw, public, private):
        folder.mkdir()
    prepared.get_competition(competition.id).make_rehearsal(raw, 0, 1)
    competition.prepare_fn(raw=raw, public=public, private=private)
    assert (private / "test.csv").read_bytes() == competition.answers.read_bytes()


def test_data_signatures() -> None:
    data = mlebench.data
    assert parameters(data.download_and_prepare_dataset)[0] == "competition"
    assert defaults(data.download_and_prepare_dataset) == {
        "keep_raw": True,
        "overwrite_checksums": False,
        "overwrite_leaderboard": False,
        "skip_verification": False,
    }
    assert defaults(data.is_dataset_prepared) == {"grading_only": False}
    assert parameters(data.get_leaderboard) == ["competition"]
    assert defaults(data.ensure_leaderboard_exists) == {"force": False}
    assert parameters(data.download_dataset)[:2] == ["competition_id", "download_dir"]
    assert defaults(data.download_dataset) == {"quiet": False, "force": False}
    assert callable(data.get_checksum)
    assert callable(data.generate_checksums)


def test_leaderboard_frame_and_prepared(published: Registry) -> None:
    competition = published.get_competition("spaceship-titanic")
    board = mlebench.data.get_leaderboard(competition)
    assert next(iter(board.columns)) == "score"
    assert board["score"].is_monotonic_decreasing
    assert mlebench.data.is_dataset_prepared(competition)
    assert mlebench.data.is_dataset_prepared(competition, grading_only=True)
    other = published.get_competition("playground-series-s3e18")
    assert not mlebench.data.is_dataset_prepared(other)
    assert Path(mlebench.data.ensure_leaderboard_exists(competition)).is_file()


def test_grader(published: Registry) -> None:
    competition = published.get_competition("spaceship-titanic")
    grader, board = competition.grader, mlebench.data.get_leaderboard(competition)
    answers = mlebench.utils.load_answers(competition.answers)
    assert grader(answers, answers) == 1.0
    assert grader(answers.iloc[1:], answers) is None
    assert grader.grade_fn(answers, answers) == 1.0
    with pytest.raises(InvalidSubmissionError):
        grader.grade_fn(answers.iloc[1:], answers)
    assert grader.name == "accuracy"
    assert grader.is_lower_better(board) is False
    ranked = grader.rank_score(1.0, board)
    assert ranked["gold_medal"]
    assert not ranked["silver_medal"]
    assert set(ranked) == {
        f"{name}_{kind}"
        for name, kind in (
            ("gold", "medal"),
            ("silver", "medal"),
            ("bronze", "medal"),
            ("gold", "threshold"),
            ("silver", "threshold"),
            ("bronze", "threshold"),
            ("median", "threshold"),
        )
    } | {"above_median"}
    assert not grader.rank_score(None, board)["above_median"]


def test_grade_csv_and_reports(published: Registry, tmp_path: Path) -> None:
    competition = published.get_competition("spaceship-titanic")
    report = grade_csv(competition.gold_submission, competition)
    assert list(report.to_dict())[: len(REPORT_FIELDS)] == REPORT_FIELDS
    assert report.score == 1.0
    assert report.any_medal
    assert report.gold_medal
    assert isinstance(report.created_at, datetime)
    assert CompetitionReport.from_dict(report.to_dict()) == report
    missing = grade_csv(tmp_path / "none.csv", competition)
    assert (missing.score, missing.submission_exists, missing.valid_submission) == (
        None,
        False,
        False,
    )
    published = {name: report.to_dict()[name] for name in REPORT_FIELDS}
    assert CompetitionReport.from_dict(published).score == 1.0


def test_validate_submission(published: Registry, tmp_path: Path) -> None:
    competition = published.get_competition("spaceship-titanic")
    valid, message = validate_submission(competition.sample_submission, competition)
    assert valid
    assert message == "Submission is valid."
    valid, message = validate_submission(tmp_path / "none.csv", competition)
    assert not valid
    assert message == "Submission invalid! none.csv does not exist or is no file"


def test_grade_jsonl(published: Registry, tmp_path: Path) -> None:
    gold = published.get_competition("spaceship-titanic").gold_submission
    lines = tmp_path / "submissions.jsonl"
    line = json.dumps({"competition_id": "spaceship-titanic", "submission_path": str(gold)})
    lines.write_text(f"# comment\n// another\n{line}\n")
    grade_jsonl(lines, tmp_path / "out", published)
    (report,) = (tmp_path / "out").glob("*_grading_report.json")
    summary = json.loads(report.read_text())
    assert list(summary)[: len(SUMMARY_FIELDS)] == SUMMARY_FIELDS
    assert summary["total_gold_medals"] == summary["total_runs"] == 1


def test_mle_bench_validation(
    published: Registry, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("MLEBENCH_DATA_DIR", str(published.get_data_dir()))
    gold = published.get_competition("spaceship-titanic").gold_submission
    result = mle_bench_validate(submission_path=gold, competition_id="spaceship-titanic")
    assert (result.valid, result.score, result.medal_tier) == (True, 1.0, "gold")
    assert result.message
    bad = tmp_path / "bad.csv"
    bad.write_text("x\n1\n")
    result = mle_bench_validate(submission_path=bad, competition_id="spaceship-titanic")
    assert (result.valid, result.score, result.medal_tier) == (False, None, None)


def test_utils(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    utils = mlebench.utils
    for name in [
        "get_logger",
        "get_timestamp",
        "load_answers",
        "purple",
        "read_csv",
        "read_jsonl",
        "extract",
        "compress",
        "is_empty",
        "import_fn",
        "load_yaml",
        "get_module_dir",
        "get_repo_dir",
        "get_runs_dir",
        "create_run_dir",
        "generate_run_id",
        "authenticate_kaggle_api",
        "in_ci",
    ]:
        assert callable(getattr(utils, name)), name
    assert isinstance(utils.get_logger("x"), logging.Logger)
    assert "hi" in utils.purple("hi")
    (tmp_path / "a.csv").write_text("x\n0.1\n")
    assert isinstance(utils.read_csv(tmp_path / "a.csv"), pd.DataFrame)
    (tmp_path / "a.jsonl").write_text('{"a": 1}\n# no\n{"a": 2}\n')
    assert utils.read_jsonl(tmp_path / "a.jsonl", skip_commented_out_lines=True) == [
        {"a": 1},
        {"a": 2},
    ]
    folder = tmp_path / "folder"
    folder.mkdir()
    assert utils.is_empty(folder)
    (folder / "f.txt").write_text("text")
    utils.compress(folder, tmp_path / "f.zip")
    utils.extract(tmp_path / "f.zip", tmp_path / "out")
    assert (tmp_path / "out" / "f.txt").read_text() == "text"
    assert utils.import_fn("json:loads") is json.loads
    (tmp_path / "a.yaml").write_text("a: [1, 2]\n")
    assert utils.load_yaml(tmp_path / "a.yaml") == {"a": [1, 2]}
    assert (utils.get_module_dir() / "registry.py").is_file()
    monkeypatch.chdir(tmp_path)
    run = utils.create_run_dir("spaceship-titanic", "dummy", "group")
    assert run.parent == tmp_path / "runs" / "group"
    assert run.name.startswith("spaceship-titanic_")
    assert utils.generate_run_id("a", "b") != utils.generate_run_id("a", "b")


def run_cli(*args: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "mlebench", *map(str, args)], capture_output=True, encoding="utf-8"
    )


def test_grade_sample_logs_the_report_to_stderr(published: Registry, data_dir: Path) -> None:
    gold = published.get_competition("spaceship-titanic").gold_submission
    done = run_cli("grade-sample", gold, "spaceship-titanic", "--data-dir", data_dir)
    assert done.returncode == 0
    assert done.stdout == ""
    assert done.stderr.startswith("[")
    report = json.loads(done.stderr[done.stderr.index("{") :])
    assert report["score"] == 1.0
    assert list(report)[: len(REPORT_FIELDS)] == REPORT_FIELDS


def test_grade_sample_none_prints_thresholds(data_dir: Path) -> None:
    done = run_cli("grade-sample", "None", "spaceship-titanic", "--data-dir", data_dir, "--json")
    assert done.returncode == 0
    report = json.loads(done.stdout)
    assert report["score"] is None
    assert report["gold_threshold"] > report["median_threshold"]


def test_prepare_and_grade_options_exist() -> None:
    help_text = run_cli("prepare", "--help").stdout
    for option in (
        "-c, --competition-id",
        "-a, --all",
        "--lite",
        "-l, --list",
        "--keep-raw",
        "--data-dir",
        "--overwrite-checksums",
        "--overwrite-leaderboard",
        "--skip-verification",
    ):
        assert option in help_text, option
    help_text = run_cli("dev", "download-leaderboard", "--help").stdout
    for option in ("-c", "--all", "--force"):
        assert option in help_text, option
