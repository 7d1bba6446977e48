"""The published command line: calls, flags, log lines and exit codes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from mlebench.catalogue import Catalogue
from mlebench.cli.commands import prepare as prepare_command
from mlebench.doctor.check import Check
from mlebench.registry import Competition, registry
from tests.command import call


def run(*words: str | Path, module: str = "mlebench.cli") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", module, *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True)


@pytest.mark.parametrize("module", ["mlebench", "mlebench.cli"])
def test_without_arguments_help_is_printed(module: str) -> None:
    done = run(module=module)
    assert (done.returncode, done.stderr) == (0, "")
    assert "grade-sample" in done.stdout


@pytest.fixture
def chosen(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The ids that `prepare` would prepare, call by call; nothing is done."""
    found: list[list[str]] = []

    def note_ids(catalogue: Catalogue, ids: list[str], *rest: Any, **options: Any) -> list[Check]:
        found.append(ids)
        return []

    monkeypatch.setattr(prepare_command, "_preflight", note_ids)
    return found


def test_which_selection_wins(chosen: list[list[str]], tmp_path: Path) -> None:
    file = tmp_path / "list.txt"
    file.write_text("leaf-classification\n")
    lite, everything = registry.get_lite_competition_ids(), registry.list_competition_ids()
    for words, expected in (
        (["--list", file, "--lite"], lite),
        (["--all", "--lite", "-c", "spaceship-titanic"], lite),
        (["-a", "-l", file], everything),
        (["--all"], everything),
        (["-l", file, "-c", "spaceship-titanic"], ["leaf-classification"]),
        (["-c", "spaceship-titanic"], ["spaceship-titanic"]),
    ):
        assert call("prepare", "--check", *words).exit_code == 0, words
        assert chosen.pop() == expected, words
    assert call("prepare", "--check", "--split", "all").exit_code == 0
    assert len(chosen.pop()) == 75
    assert call("prepare", "--check", "--split", "all", "--lite").exit_code == 2
    assert "the benchmark's 75: --split all" in " ".join(call("prepare", "--help").output.split())


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--competition", "spaceship-titanic"], ["spaceship-titanic"]),
        (["--comp=spaceship-titanic"], ["spaceship-titanic"]),
        (["--skip", "--keep", "--data", "x", "-c", "leaf-classification"], ["leaf-classification"]),
        # The value of an option is not an option, whatever it looks like.
        (["--data-dir", "--lite", "-c", "leaf-classification"], ["leaf-classification"]),
    ],
)
def test_options_may_be_shortened(
    chosen: list[list[str]], words: list[str], expected: list[str]
) -> None:
    done = call("prepare", "--check", *words)
    assert done.exit_code == 0, done.output
    assert chosen == [expected]


def test_a_short_form_of_two_options_names_both(chosen: list[list[str]]) -> None:
    done = call("prepare", "--check", "--overwrite", "-c", "spaceship-titanic")
    assert done.exit_code == 2
    assert "--overwrite-checksums or --overwrite-leaderboard" in done.output
    assert chosen == []


def test_grade_sample_logs_why_a_file_is_invalid(
    titanic: Competition, data_dir: Path, tmp_path: Path
) -> None:
    (tmp_path / "bad.csv").write_text("x\n1\n")
    done = run("grade-sample", tmp_path / "bad.csv", titanic.id, "--data-dir", data_dir)
    assert done.returncode == 0
    log, _, report = done.stderr.partition("Competition report:")
    assert "Invalid submission: " in log
    told = json.loads(report[report.index("{") :])
    assert (told["score"], told["valid_submission"], told["submission_exists"]) == (
        None,
        False,
        True,
    )


def test_grade_sample_of_none(data_dir: Path) -> None:
    done = run("grade-sample", "None", "spaceship-titanic", "--data-dir", data_dir)
    assert done.returncode == 0
    told = json.loads(done.stderr[done.stderr.index("{") :])
    assert (told["score"], told["submission_exists"]) == (None, False)
    assert told["gold_threshold"] == 0.82066
