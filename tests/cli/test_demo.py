"""`mlebench demo`: the whole way on real data, and what it leaves and says."""

from __future__ import annotations

import json
import operator
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import mlebench.cli.commands.demo as demo
import mlebench.competitions
from mlebench.catalogue import Catalogue
from mlebench.cli import main
from mlebench.results.attempts import load_attempts

COMPETITIONS = Path(mlebench.competitions.__file__).parent
STARTER = Catalogue().get_split("starter")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("demo")


@pytest.fixture(scope="module")
def result(home: Path) -> dict[str, Any]:
    """One real demonstration, with little time for the agent."""
    words = [sys.executable, "-m", "mlebench", "demo", "--dir", str(home), "--seconds", "20"]
    done = subprocess.run([*words, "--json"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    shown: dict[str, Any] = json.loads(done.stdout)
    return shown


def share_beaten(report: dict[str, Any]) -> float:
    """The share of the board that is worse, from the 201 quantiles alone: to two hundredths."""
    folder = report["competition_id"].replace("-", "_")
    board = json.loads((COMPETITIONS / folder / "leaderboard.json").read_text("utf-8"))
    is_better = operator.lt if board["lower_is_better"] else operator.gt
    beaten = [is_better(report["score"], score) for score in board["quantiles"]]
    assert len(beaten) == 201
    return sum(beaten) / len(beaten)


@pytest.mark.long
def test_all_four_are_run_valid_and_marked(result: dict[str, Any]) -> None:
    reports = result["competition_reports"]
    assert [report["competition_id"] for report in reports] == STARTER
    for report in reports:
        assert report["valid_submission"], report["reason"]
        assert report["is_demonstration"]
        assert report["teams_beaten"] == pytest.approx(share_beaten(report), abs=0.02)
    assert result["is_demonstration"]


@pytest.mark.long
def test_folders_lie_where_the_design_says(result: dict[str, Any], home: Path) -> None:
    group = Path(result["runs"])
    assert group.parent == home / "runs"
    assert group.name.endswith("_run-group_baseline")
    runs = [folder for folder in group.iterdir() if (folder / "run.json").is_file()]
    assert len(runs) == len(STARTER)
    for folder in runs:
        assert {"submission", "logs", "code", "host"} <= {child.name for child in folder.iterdir()}
        log = (folder / "host" / "agent.log").read_text("utf-8")
        assert "sample submission copied" in log
        assert "Traceback" not in log


@pytest.mark.long
def test_the_page_and_the_table(
    result: dict[str, Any], home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = Path(result["page"]).read_text("utf-8")
    assert "demonstration: answers are public" in page
    assert all(name in page for name in STARTER)
    attempts = load_attempts([Path(result["runs"])])
    demo._print_result(attempts, 1.0, Catalogue(home / "data"))
    shown = capsys.readouterr()
    head, *rows = [line.split("\t") for line in shown.out.splitlines()]
    assert head == ["competition", "metric", "score", "rank", "percentile", "medal", "seconds"]
    assert [row[0] for row in rows] == STARTER
    assert "A demonstration" in shown.err
    assert "0 invalid" in shown.err


def test_folder_that_cannot_be_made_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(SystemExit) as ended:
        main(["demo", "--dir", str(tmp_path / "file" / "demo")])
    assert ended.value.code == 1
    assert "cannot be made" in capsys.readouterr().err
