"""The drop-in surface: names, signatures and outputs that programs written for the published
package rely on."""

from __future__ import annotations

import inspect
import json
import subprocess
import sys
from datetime import datetime
from pathlib import Path

import pytest

from mle_bench.validation import validate_submission as mle_bench_validate
from mlebench import data, utils
from mlebench.catalogue import Catalogue
from mlebench.grade import grade_csv, grade_jsonl
from mlebench.grade_helpers import Grader
from mlebench.registry import Competition, Registry, registry
from tests.command import mlebench

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


def defaults(function: object) -> dict[str, object]:
    found = inspect.signature(function).parameters  # type: ignore[arg-type]
    return {n: p.default for n, p in found.items() if p.default is not inspect.Parameter.empty}


def test_registry() -> None:
    assert isinstance(registry, Registry)
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


def test_data_defaults() -> None:
    assert defaults(data.download_and_prepare_dataset) == {
        "keep_raw": True,
        "overwrite_checksums": False,
        "overwrite_leaderboard": False,
        "skip_verification": False,
    }
    assert defaults(data.is_dataset_prepared) == {"grading_only": False}
    assert defaults(data.ensure_leaderboard_exists) == {"force": False}
    assert defaults(data.download_dataset) == {"quiet": False, "force": False}


def test_grade_csv(published: Registry) -> None:
    competition = published.get_competition("spaceship-titanic")
    report = grade_csv(competition.gold_submission, competition)
    assert list(report.to_dict())[: len(REPORT_FIELDS)] == REPORT_FIELDS
    assert report.score == 1.0
    assert report.any_medal
    assert report.gold_medal
    assert isinstance(report.created_at, datetime)


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


def test_utils(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("a: [1, 2]\n")
    assert utils.load_yaml(tmp_path / "a.yaml") == {"a": [1, 2]}
    assert (utils.get_module_dir() / "registry.py").is_file()
    assert utils.generate_run_id("a", "b") != utils.generate_run_id("a", "b")


def test_grade_sample_logs_the_report_to_stderr(published: Registry, data_dir: Path) -> None:
    gold = published.get_competition("spaceship-titanic").gold_submission
    words = ("grade-sample", gold, "spaceship-titanic", "--data-dir", data_dir)
    command = [sys.executable, "-m", "mlebench", *map(str, words)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8")
    assert done.returncode == 0
    assert done.stdout == ""
    assert done.stderr.startswith("[")
    report = json.loads(done.stderr[done.stderr.index("{") :])
    assert report["score"] == 1.0
    assert list(report)[: len(REPORT_FIELDS)] == REPORT_FIELDS


def test_prepare_and_grade_options_exist() -> None:
    help_text = mlebench("prepare", "--help").stdout
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
    help_text = mlebench("dev", "download-leaderboard", "--help").stdout
    for option in ("-c", "--all", "--force"):
        assert option in help_text, option
