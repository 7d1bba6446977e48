"""A01, A07, A10: what is copied or mounted as an agent's package contains no answers."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from mlebench.catalogue import Catalogue
from mlebench.errors import UsageError
from mlebench.sandbox.registry import get_sandbox
from tests.hostile.arena import COMPETITION, SAMPLE, Arena
from tests.sandbox.conftest import require_sandbox

THIEF = """
found=$(find -L /opt/agent -name 'test.csv' -path '*private*' 2>/dev/null | head -1)
cp "${found:-/home/data/sample_submission.csv}" /home/submission/submission.csv
find /opt/agent > /home/logs/seen
"""


@pytest.fixture
def thief(place: Path, prepared: Catalogue) -> Arena:
    """A folder with a program, data under an innocent name, and an earlier group."""
    require_sandbox("bubblewrap")
    arena = Arena(get_sandbox("bubblewrap"), place, prepared)
    shutil.copytree(prepared.get_data_dir() / COMPETITION, place / "inputs" / COMPETITION)
    (place / "steal.sh").write_text(THIEF)
    return arena


def run(arena: Arena, *more: str) -> tuple[int, str]:
    done = arena.command(
        *("run", "--command", "sh /opt/agent/steal.sh", "-c", COMPETITION, "--hours", "0.01"),
        *("--sandbox", "bubblewrap", "--profile", "small", *more),
    )
    return done.returncode, done.stderr + done.stdout


@pytest.mark.defence("secrets-stay-out")
def test_a_command_does_not_take_the_data_folder_along(thief: Arena) -> None:
    """`--data-dir inputs` in the current folder: the agent found the answers, and the report
    said that there were none."""
    (thief.place / "link").symlink_to(thief.place / "inputs")
    code, said = run(thief, "--data-dir", "link", "--runs-dir", "results")
    assert code == 0, said
    (group,) = (thief.place / "results").iterdir()
    (record,) = [json.loads(file.read_text()) for file in group.glob("*/run.json")]
    seen = next(group.glob("*/logs/seen")).read_text()
    assert "private" not in seen
    assert record["sandbox"]["answers"] == "absent"
    assert (record["score"] or 0) < 0.9


@pytest.mark.long
def test_neither_data_nor_runs_are_taken_along_whatever_they_are_called(thief: Arena) -> None:
    earlier = thief.place / "archive" / "2026-group" / f"{COMPETITION}_1"
    (earlier / "host").mkdir(parents=True)
    (earlier / "run.json").write_text("{}")
    (earlier / "host" / "report.json").write_text('{"score": 1}')
    elsewhere = thief.place / "elsewhere"
    shutil.copytree(thief.catalogue.get_data_dir(), elsewhere)
    (thief.place / "inputs" / COMPETITION / f"{COMPETITION}.zip").write_bytes(b"PK")
    code, said = run(thief, "--data-dir", str(elsewhere), "--runs-dir", "results")
    assert code == 0, said
    seen = next((thief.place / "results").glob("*/*/logs/seen")).read_text()
    for word in ("private", "report.json", "run.json", ".zip", "inputs/spaceship"):
        assert word not in seen


@pytest.mark.defence("answers-by-content")
def test_answers_under_another_name_are_found(thief: Arena) -> None:
    agent = thief.agent(SAMPLE)
    answers = next((thief.catalogue.get_data_dir() / COMPETITION / "prepared/private").iterdir())
    shutil.copyfile(answers, agent.folder / "notes.txt")
    with pytest.raises(UsageError, match=r"notes\.txt holds the answers of spaceship-titanic"):
        thief.plan(agent)


def test_a_folder_inside_the_data_is_no_place_to_start_a_command(thief: Arena) -> None:
    done = thief.command("run", "--command", "true", "-c", COMPETITION, "--data-dir", ".")
    assert done.returncode == 1
    assert "which contains data or runs" in done.stderr


def test_the_report_tells_where_the_answers_were(prepared: Catalogue, place: Path) -> None:
    """The sentence is made from the records: a run without isolation does not get it."""
    arena = Arena(get_sandbox("process"), place, prepared)
    fight = arena.fight(arena.agent(SAMPLE))
    assert fight.record.sandbox["answers"] == "readable"
    done = arena.command("report", str(fight.group.path), "--html", str(place / "page.html"))
    assert done.returncode == 0, done.stderr
    text = (place / "page.html").read_text()
    assert "ANSWERS COULD BE READ (1 runs)" in text
    assert "no answers inside" not in text
