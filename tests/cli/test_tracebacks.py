"""What is wrong outside our code is one sentence: folders, competitions and boards of others."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from mlebench.catalogue import Catalogue
from mlebench.errors import DataError
from mlebench.leaderboards.leaderboard import load_leaderboard
from mlebench.skeleton import write_skeleton
from tests.command import mlebench

BOARD = {
    "teams": 3,
    "lower_is_better": False,
    "gold": 0.9,
    "silver": 0.9,
    "bronze": 0.9,
    "median": 0.8,
    "best": 0.9,
    "worst": 0.5,
    "quantiles": [],
}


def in_process(*words: str | Path) -> subprocess.CompletedProcess[str]:
    """The command as a user starts it, whose warnings go to stderr."""
    command = [sys.executable, "-m", "mlebench", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True)


def test_a_current_folder_that_cannot_be_written(tmp_path: Path) -> None:
    words = ("--agent", "dummy", "-c", "starter-wine", "--rehearsal", "--sandbox", "process")
    done = mlebench("run", *words, "--data-dir", tmp_path, cwd=Path("/proc"))
    assert done.returncode == 1
    error, hint = done.stderr.splitlines()[-2:]
    assert error.startswith("error: the runs folder /proc/runs cannot be written: ")
    assert "--runs-dir" in hint
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("ids", [["starter-wine"], ["starter-wine", "starter-digits"]])
def test_a_data_folder_that_cannot_be_made(ids: list[str], tmp_path: Path) -> None:
    # A file in the way: root and other users get the same answer.
    place = tmp_path / "file" / "x"
    place.parent.write_text("")
    chosen = [word for competition_id in ids for word in ("-c", competition_id)]
    done = mlebench("prepare", *chosen, "--rehearsal", "--data-dir", place)
    assert done.returncode == 1
    assert f"the folder {place}/starter-wine cannot be created: " in done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert "a fault of ours" not in done.stdout + done.stderr


def test_a_data_folder_in_proc() -> None:
    done = mlebench("prepare", "-c", "starter-wine", "--rehearsal", "--data-dir", "/proc/x")
    assert done.returncode == 1
    assert "/proc/x" in done.stderr.splitlines()[0]
    assert re.search("cannot be (created|written)", done.stderr)
    assert "Traceback" not in done.stderr


def test_broken_competitions_leave_the_others(tmp_path: Path) -> None:
    write_skeleton("rain-tomorrow", tmp_path)
    broken = {
        "def (": "cannot be loaded: SyntaxError: ",
        "import no_such_module_here": "cannot be loaded: ModuleNotFoundError: ",
        "raise ValueError('two\\nlines')": "cannot be loaded: ValueError: two lines",
        "x = 1": "defines no `competition = CompetitionDefinition(...)`",
    }
    files = [tmp_path / f"snow_{number}" / "competition.py" for number in range(len(broken))]
    unnamed = tmp_path / "no id" / "competition.py"
    for file, text in zip([*files, unnamed], [*broken, ""], strict=True):
        file.parent.mkdir()
        file.write_text(text)
    done = in_process("list", "--competitions-dir", tmp_path, "--json")
    assert done.returncode == 0, done.stderr
    listed = {facts["id"] for facts in json.loads(done.stdout)["competitions"]}
    assert {"rain-tomorrow", "spaceship-titanic"} <= listed
    assert not any(name.startswith("snow") or name == "no id" for name in listed)
    for file, reason in zip(files, broken.values(), strict=True):
        assert f"{file} {reason}" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_broken_competition_says_which_file_and_why(tmp_path: Path) -> None:
    (tmp_path / "snow_tomorrow").mkdir()
    file = tmp_path / "snow_tomorrow" / "competition.py"
    file.write_text("def (")
    done = mlebench("show", "snow-tomorrow", "--competitions-dir", tmp_path)
    assert done.returncode == 1
    assert done.stderr.startswith(f"error: {file} cannot be loaded: SyntaxError: invalid syntax")
    assert len(done.stderr.splitlines()) == 1
    catalogue = Catalogue(competitions_dirs=(tmp_path,))
    with pytest.raises(DataError, match=r"snow_tomorrow/competition\.py cannot be loaded"):
        catalogue.get_competition("snow-tomorrow")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{", "is not JSON"),
        ("[]", "is not a JSON object"),
        ("{}", "has no 'teams'; expected a number of teams from 1 on"),
        (json.dumps({k: v for k, v in BOARD.items() if k != "gold"}), "has no 'gold'"),
        (json.dumps(BOARD | {"teams": 0}), "'teams' of the leaderboard"),
        (json.dumps(BOARD | {"best": float("nan")}), "is nan; expected a score"),
        (json.dumps(BOARD | {"lower_is_better": "no"}), "expected true or false"),
        (json.dumps(BOARD | {"quantiles": [0.5] * 500}), "expected a list of 201 scores"),
    ],
)
def test_a_damaged_board(text: str, reason: str, tmp_path: Path) -> None:
    file = tmp_path / "leaderboard.json"
    file.write_text(text)
    with pytest.raises(DataError, match=reason) as caught:
        load_leaderboard(file, tmp_path / "none.csv", is_lower_better=False)
    assert str(file) in str(caught.value)


def test_a_complete_board(tmp_path: Path) -> None:
    file = tmp_path / "leaderboard.json"
    file.write_text(json.dumps(BOARD))
    board = load_leaderboard(file, tmp_path / "none.csv", is_lower_better=False)
    assert board.scores == (0.9, 0.8, 0.5)


def test_libraries_that_do_not_fit_each_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """pyarrow 26 is installed beside numpy 1.26 without a complaint, and stops at its import."""
    reason = "pyarrow requires NumPy 2.0 or newer, found 1.26.4"
    (tmp_path / "pyarrow.py").write_text(f"raise ImportError({reason!r})\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    taxi = ("-c", "new-york-city-taxi-fare-prediction", "--rehearsal")
    done = in_process("prepare", *taxi, "--data-dir", tmp_path / "data")
    assert done.returncode == 1
    error, hint = done.stderr.splitlines()[-2:]
    assert error == f"error: a library cannot be loaded: {reason}"
    assert "pip install 'pyarrow<26'" in hint
    assert "Traceback" not in done.stderr
    checks = json.loads(in_process("doctor", "--offline", "--json").stdout)["checks"]
    assert [check["state"] for check in checks if reason in check["reason"]] == ["fail"]
