"""Commands as a user types them: output, exit codes, one sentence for a mistake."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from mlebench.catalogue import Catalogue
from mlebench.cli.output import safe
from tests.command import mlebench


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["show", "spaceship-titanc"], 2, "did you mean 'spaceship-titanic'?"),
        (["prepare", "-c", "nope-nope-nope"], 2, "unknown competition"),
        (["prepare"], 2, "name the competitions"),
        (["verify", "-c", "spaceship-titanic", "--all"], 2, "name the competitions"),
        (["prepare", "--list", "no-such-file"], 1, "cannot be read"),
        (["list", "--split", "hard"], 2, "unknown split 'hard'"),
        (["lits"], 2, "did you mean 'list'?"),
        (["grade", "--submision", "x"], 2, "--submission"),
        (["grade", "--submission", "none.jsonl", "--output-dir", "out"], 1, "cannot be read"),
        (["validate", "x.csv", "spaceship-titanic"], 1, "not prepared; run: mlebench prepare"),
        (["new-competition", "../evil"], 1, "is not a valid id"),
        (["leaderboard", "--score", "0.5"], 2, "--score needs a competition's ID"),
        (["leaderboard", "spaceship-titanic", "--force"], 2, "--force needs --download"),
        (
            ["leaderboard", "spaceship-titanic", "--format", "csv"],
            2,
            "--format is for the table of agents",
        ),
        (["clean", "--lite", "--all"], 2, "name the competitions"),
        (["verify", "-c", "spaceship-titanc"], 2, "did you mean 'spaceship-titanic'?"),
        (["doctor", "--offline", "--split", "hard"], 2, "unknown split 'hard'"),
        (["run", "--agent", "dumy", "--lite"], 2, "did you mean 'dummy'?"),
        (["run", "--agent", "./none", "--lite"], 2, "the agent folder ./none does not exist"),
        (["run", "--agent", "dummy", "--lite", "--profile", "smal"], 2, "did you mean 'small'?"),
        (["run", "--agent", "dummy", "--lite", "--sandbox", "box"], 2, "no sandbox 'box'"),
        (["run", "--agent", "dummy", "--split", "hard"], 2, "unknown split 'hard'"),
        (["run", "--agent", "dummy", "--lite", "--profile", "zz"], 2, "one of local, published"),
        (["docs", "none"], 2, "unknown page 'none'; see: mlebench docs"),
        (["report", "none"], 2, "there is no group or path 'none'"),
        (["compare", "none", "last"], 2, "there is no group or path 'none'"),
        (["bundle", "make", "none", "--out", "x.zip"], 2, "there is no group or path 'none'"),
        (["view", "none"], 2, "there is no group or path 'none'"),
        (["status", "none"], 2, "there is no group 'none'"),
        (["resume", "none"], 2, "there is no group 'none'"),
        (["leaderboard", "spaceship-titanc"], 2, "did you mean 'spaceship-titanic'?"),
        (["validate", "x.csv", "spaceship-titanc"], 2, "did you mean 'spaceship-titanic'?"),
        (["grade-sample", "x.csv", "spaceship-titanc"], 2, "did you mean 'spaceship-titanic'?"),
    ],
)
def test_mistakes_get_one_sentence(
    words: list[str], code: int, message: str, tmp_path: Path
) -> None:
    environment = ["--data-dir", str(tmp_path)] if words[0] in ("validate", "grade-sample") else []
    done = mlebench(*words, *environment, cwd=tmp_path)
    assert done.returncode == code, done.stderr
    assert message in done.stderr
    assert done.stderr.startswith("error: ")
    assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_grading_needs_prepared_data(tmp_path: Path) -> None:
    (tmp_path / "submission.csv").write_text("PassengerId,Transported\n")
    data = tmp_path / "data"
    words = ("grade-sample", tmp_path / "submission.csv", "spaceship-titanic", "--data-dir", data)
    done = mlebench(*words)
    assert done.returncode == 1
    message = "spaceship-titanic is not prepared; run: mlebench prepare -c spaceship-titanic"
    assert done.stderr == f"error: {message} --data-dir {data}\n"
    assert not data.exists()


def test_a_group_without_a_command_prints_its_help() -> None:
    """In a process, so that the exit code is the one that a shell sees."""
    command = [sys.executable, "-m", "mlebench", "dev"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.startswith("Usage: mlebench dev")


def test_errors_as_json() -> None:
    done = mlebench("show", "spaceship-titanc", "--json")
    assert done.returncode == 2
    answer = json.loads(done.stdout)
    assert list(answer) == ["schema", "error"]
    assert answer["error"]["kind"] == "usage"
    assert done.stderr == ""


def test_every_answer_for_machines_is_one_object_with_schema(
    data_dir: Path, prepared: Catalogue, tmp_path: Path
) -> None:
    data = ("--data-dir", data_dir)
    sample = prepared.get_competition("spaceship-titanic").sample_submission
    plan = ("--agent", "dummy", "-c", "spaceship-titanic", "--sandbox", "process", "--plan-only")
    for words in (
        ("list", *data),
        ("show", "spaceship-titanic", *data),
        ("verify", "-c", "spaceship-titanic", *data),
        ("clean", "--prepared", "--dry-run", *data),
        ("validate", sample, "spaceship-titanic", *data),
        ("run", *plan, *data),
        ("status", "last"),
        ("cancel", "last"),
        ("runs",),
        ("make-submission", "--metadata", "none.json"),
        ("grade-sample", sample, "spaceship-titanic", *data),
        ("leaderboard",),
        ("leaderboard", "spaceship-titanic", *data),
        ("new-competition", "rain-tomorrow"),
        ("check-competition", "spaceship-titanic", *data),
        ("doctor", "--offline", *data),
    ):
        answer = json.loads(mlebench(*words, "--json", cwd=tmp_path).stdout)
        assert isinstance(answer.get("schema"), int), words


def test_list_filters(data_dir: Path) -> None:
    done = mlebench("list", "--split", "dev", "--json", "--data-dir", data_dir)
    found = json.loads(done.stdout)["competitions"]
    assert {facts["complexity"] for facts in found} == {"dev"}
    done = mlebench("list", "--prepared", "--data-dir", data_dir)
    ids = [line.split("\t")[0] for line in done.stdout.splitlines()]
    assert ids == ["id", "leaf-classification", "spaceship-titanic"]
    done = mlebench("list", "--prepared", "--category", "TABULAR", "--data-dir", data_dir, "--json")
    assert [f["id"] for f in json.loads(done.stdout)["competitions"]] == ["spaceship-titanic"]


def test_show(data_dir: Path) -> None:
    done = mlebench("show", "spaceship-titanic", "--data-dir", data_dir)
    for words in (
        "Spaceship Titanic",
        "accuracy",
        "public/train.csv",
        "gold",
        "is rehearsal\tTrue",
    ):
        assert words in done.stdout
    shown = json.loads(
        mlebench("show", "spaceship-titanic", "--data-dir", data_dir, "--json").stdout
    )
    assert shown["teams"] > 1000
    assert shown["files"]["private/test.csv"] > 0


def test_validate_never_scores(prepared: Catalogue, data_dir: Path, tmp_path: Path) -> None:
    competition = prepared.get_competition("spaceship-titanic")
    done = mlebench(
        "validate", competition.sample_submission, "spaceship-titanic", "--data-dir", data_dir
    )
    assert (done.returncode, done.stdout) == (0, "valid\n")
    bad = tmp_path / "bad.csv"
    bad.write_text("PassengerId,Transported\n0001_01,True\n")
    done = mlebench("validate", bad, "spaceship-titanic", "--data-dir", data_dir, "--json")
    assert done.returncode == 1
    assert "1 rows, expected" in json.loads(done.stdout)["reason"]


def test_leaderboard(data_dir: Path) -> None:
    done = mlebench("leaderboard", "spaceship-titanic", "--score", "0.9", "--data-dir", data_dir)
    assert "gold" in done.stdout
    assert "rank 1," in done.stderr
    shown = json.loads(mlebench("leaderboard", "spaceship-titanic", "--json").stdout)
    assert len(shown["scores"]) > 1000


def test_grade_prints_what_where_and_next(
    prepared: Catalogue, data_dir: Path, tmp_path: Path
) -> None:
    gold = prepared.get_competition("spaceship-titanic").gold_submission
    line = json.dumps({"competition_id": "spaceship-titanic", "submission_path": str(gold)})
    (tmp_path / "s.jsonl").write_text(line + "\nbroken\n")
    words = ["grade", "--submission", "s.jsonl", "--output-dir", "out", "--data-dir", data_dir]
    done = mlebench(*words, "-j", "2", cwd=tmp_path)
    assert done.returncode == 1
    assert "Graded 1 submissions" in done.stderr
    assert "1 medals (1 G, 0 S, 0 B), 0 invalid, 1 not graded" in done.stderr
    (report,) = (tmp_path / "out").glob("*_grading_report.json")
    assert done.stderr.splitlines()[-1].endswith(f"mlebench report out/{report.name}")
    done = mlebench(*words, "--json", cwd=tmp_path)
    summary = json.loads(done.stdout)
    assert (summary["total_runs"], summary["total_gold_medals"]) == (2, 1)
    assert summary["errors"][0]["line"] == 2


@pytest.mark.long
def test_new_competition_prepares_grades_and_passes_its_own_test(tmp_path: Path) -> None:
    assert mlebench("new-competition", "rain-tomorrow", cwd=tmp_path).returncode == 0
    again = mlebench("new-competition", "rain-tomorrow", cwd=tmp_path)
    assert again.returncode == 1
    assert "exists already" in again.stderr
    places = ["--competitions-dir", "competitions", "--data-dir", "data"]
    done = mlebench("prepare", "-c", "rain-tomorrow", "--rehearsal", *places, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    sample = tmp_path / "data/rain-tomorrow/prepared/public/sample_submission.csv"
    done = mlebench("grade-sample", sample, "rain-tomorrow", *places, "--json", cwd=tmp_path)
    assert json.loads(done.stdout)["score"] == 0.5
    assert "rain-tomorrow" in mlebench("list", *places, cwd=tmp_path).stdout
    tested = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "competitions"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert "1 passed" in tested.stdout, tested.stdout


def test_w06_hostile_text_cannot_steer_the_terminal() -> None:
    shown = safe("a\x1b]52;c;eA==\x07\rb\u202ec\x9b2J")
    assert shown == "a\\x1b]52;c;eA==\\x07\\rb\\u202ec\\x9b2J"
    assert safe("two\nlines\tfine") == "two\nlines\tfine"


def test_the_table_of_agents_and_who_may_stand_in_it(data_dir: Path, tmp_path: Path) -> None:
    done = mlebench("leaderboard", "--format", "csv")
    assert done.returncode == 0
    assert done.stdout.splitlines()[0] == "#,agent,models,low,medium,high,all,hours,date,notes"
    table = json.loads(mlebench("leaderboard", "--json").stdout)
    assert (table["schema"], len(table["agents"])) == (1, 26)
    assert json.loads(mlebench("leaderboard", "--format", "json").stdout) == table
    line = {"competition_id": "spaceship-titanic", "submission_path": "none.csv"}
    (tmp_path / "s.jsonl").write_text(json.dumps(line))
    mlebench(
        "grade",
        "--submission",
        "s.jsonl",
        "--output-dir",
        "out",
        "--data-dir",
        data_dir,
        cwd=tmp_path,
    )
    done = mlebench("leaderboard", "--mine", "out", cwd=tmp_path)
    assert done.returncode == 1
    assert "do not belong in the table" in done.stderr
