"""What a user's folder brings into the sandbox: the program, never data, answers or runs."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from mlebench.agents.base import load_agent
from mlebench.agents.commands import command_agent
from mlebench.agents.program_files import program_files
from mlebench.catalogue import Catalogue
from mlebench.errors import UsageError
from mlebench.runner.group import require_no_answers


@pytest.fixture
def folder(tmp_path: Path, data_dir: Path) -> Path:
    """A project with its program, data under an odd name, an earlier group and an environment."""
    home = tmp_path / "project"
    (home / "package").mkdir(parents=True)
    (home / "solve.py").write_text("print('hello')\n")
    (home / "package" / "model.py").write_text("x = 1\n")
    shutil.copytree(data_dir / "spaceship-titanic", home / "rehearsal" / "spaceship-titanic")
    host = home / "old-results" / "group" / "spaceship-titanic_1" / "host"
    host.mkdir(parents=True)
    (host / "report.json").write_text("{}")
    (host.parent / "run.json").write_text("{}")
    (host.parents[1] / "metadata.json").write_text("{}")
    (home / "env").mkdir()
    (home / "env" / "pyvenv.cfg").write_text("")
    (home / "env" / "python").write_text("")
    archive = home / "downloads" / "leaf-classification"
    archive.mkdir(parents=True)
    (archive / "leaf-classification.zip").write_bytes(b"raw data with the labels")
    return home


def names(folder: Path, *excluded: Path) -> set[str]:
    return {file.relative_to(folder).as_posix() for file in program_files(folder, excluded)}


def test_data_runs_and_environments_stay_out_whatever_their_names(folder: Path) -> None:
    assert names(folder) == {"solve.py", "package/model.py"}


def test_links_to_them_stay_out_as_well(folder: Path, tmp_path: Path) -> None:
    answers = folder / "rehearsal" / "spaceship-titanic" / "prepared" / "private" / "test.csv"
    assert answers.is_file()
    (folder / "notes.csv").symlink_to(answers)
    (folder / "everything").symlink_to(folder / "rehearsal")
    (tmp_path / "outside.txt").write_text("of somebody else")
    (folder / "outside.txt").symlink_to(tmp_path / "outside.txt")
    (folder / "main.py").symlink_to("solve.py")
    assert names(folder) == {"solve.py", "package/model.py", "main.py"}


def test_the_folders_in_use_stay_out_even_when_they_look_like_nothing(folder: Path) -> None:
    (folder / "store").mkdir()
    (folder / "store" / "labels.csv").write_text("1")
    assert "store/labels.csv" in names(folder)
    assert names(folder, folder / "store") == {"solve.py", "package/model.py"}
    with pytest.raises(UsageError, match="is inside"):
        names(folder, folder.parent)


def test_a_command_gets_the_program_only(folder: Path, tmp_path: Path) -> None:
    agent = command_agent("python solve.py", folder, tmp_path / "cache")
    inside = {file.relative_to(agent.folder).as_posix() for file in agent.folder.rglob("*.*")}
    assert inside == {"solve.py", "package/model.py", "agent.toml"}


def test_the_digest_ignores_what_is_no_part_of_the_agent(folder: Path) -> None:
    (folder / "agent.toml").write_text('name = "mine"\n')
    before = load_agent(folder).digest()
    shutil.rmtree(folder / "rehearsal")
    shutil.rmtree(folder / "old-results")
    assert load_agent(folder).digest() == before
    (folder / "solve.py").write_text("print('hello!')\n")
    assert load_agent(folder).digest() != before


def test_a_copy_of_the_answers_is_refused_under_any_name(
    tmp_path: Path, prepared: Catalogue
) -> None:
    (tmp_path / "agent.toml").write_text('name = "cheat"\n')
    (tmp_path / "weights.bin").write_bytes(b"harmless")
    agent = load_agent(tmp_path)
    competition = prepared.get_competition("spaceship-titanic")
    require_no_answers(agent, [competition])
    shutil.copy(competition.answers, tmp_path / "weights.bin")
    with pytest.raises(UsageError, match="holds the answers of spaceship-titanic"):
        require_no_answers(agent, [competition])
