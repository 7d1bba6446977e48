"""`mlebench demo`: the whole way on real data, and what it leaves and says."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import uuid
from pathlib import Path
from typing import Any

import pytest

import mlebench.cli.demo as demo
from mlebench.cli import main
from mlebench.data.prepare import prepare
from mlebench.registry import Registry

STARTER = Registry().get_split("starter")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("demo")


@pytest.fixture(scope="module")
def result(home: Path) -> dict[str, Any]:
    """One real demonstration, with little time for the agent."""
    words = [sys.executable, "-m", "mlebench", "demo", "--dir", str(home), "--seconds", "15"]
    done = subprocess.run([*words, "--json"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    shown: dict[str, Any] = json.loads(done.stdout)
    return shown


@pytest.mark.slow
def test_all_four_are_run_and_valid(result: dict[str, Any]) -> None:
    assert [run["report"]["competition_id"] for run in result["runs"]] == STARTER
    for run in result["runs"]:
        assert run["exit_code"] == 0
        assert run["report"]["valid_submission"], run["report"]["reason"]
        assert 0 <= run["percentile"] <= 100


@pytest.mark.slow
def test_everything_is_marked_as_a_demonstration(result: dict[str, Any]) -> None:
    assert result["is_demonstration"]
    assert all(run["report"]["is_demonstration"] for run in result["runs"])
    report = json.loads(Path(result["report"]).read_text("utf-8"))
    assert all(graded["is_demonstration"] for graded in report["competition_reports"])


@pytest.mark.slow
def test_folders_lie_where_the_design_says(result: dict[str, Any], home: Path) -> None:
    group = Path(result["group_dir"])
    assert group.parent == home / "runs"
    assert group.name.endswith("_run-group_baseline")
    for run in result["runs"]:
        folder = Path(run["run_dir"])
        assert folder.parent == group.resolve()
        assert folder.name.startswith(run["report"]["competition_id"] + "_")
        assert {"submission", "logs", "code"} <= {child.name for child in folder.iterdir()}
        assert (folder / "submission" / "submission.csv").is_file()
        log = (folder / "logs" / "agent.log").read_text("utf-8")
        assert "sample submission copied" in log and "Traceback" not in log
    lines = (group / "submissions.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line)["competition_id"] for line in lines] == STARTER


@pytest.fixture(scope="module")
def prepared_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the data is there already."""
    folder = tmp_path_factory.mktemp("quick")
    for competition_id in STARTER:
        prepare(Registry(folder / "data").get_competition(competition_id))
    return folder


def run_main(*words: str | Path) -> int:
    with pytest.raises(SystemExit) as ended:
        main([str(word) for word in words])
    return int(ended.value.code or 0)


def perfect_agent(competition: Any, group: Path, seconds: float, step: Any) -> demo.DemoRun:
    """Hands in the best possible answers at once."""
    folder = group / f"{competition.id}_{uuid.uuid4()}"
    (folder / "submission").mkdir(parents=True)
    shutil.copy(competition.gold_submission, folder / "submission" / "submission.csv")
    step()
    return demo.DemoRun(competition, folder, 0.1, 0)


def test_table_and_closing_lines(
    prepared_home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(demo, "_run_agent", perfect_agent)
    assert run_main("demo", "--dir", prepared_home) == 0
    shown = capsys.readouterr()
    head, *rows = [line.split("\t") for line in shown.out.splitlines()]
    assert head == ["competition", "metric", "score", "rank", "percentile", "medal", "seconds"]
    assert [row[0] for row in rows] == STARTER
    assert rows[3][1:6] == ["multi_class_log_loss ↓", "0.00000", "1 of 143", "100.0 %", "gold"]
    for text in ("A demonstration", "4 medals (4 G, 0 S, 0 B), 0 invalid", "report: ", "next:"):
        assert text in shown.err
    assert shown.err.count("prepared before") == len(STARTER)


def test_folder_that_cannot_be_made_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("in the way")
    assert run_main("demo", "--dir", tmp_path / "file" / "demo") == 1
    assert "cannot be made" in capsys.readouterr().err


def test_invalid_submission_is_named_and_fails(
    prepared_home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(competition: Any, group: Path, seconds: float, step: Any) -> demo.DemoRun:
        return demo.DemoRun(competition, group / competition.id, 0.1, 1)

    monkeypatch.setattr(demo, "_run_agent", run)
    assert run_main("demo", "--dir", prepared_home) == 1
    shown = capsys.readouterr().err
    assert "invalid: starter-wine: " in shown and "4 invalid" in shown
