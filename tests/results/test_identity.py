"""Two agents that differ in one byte are never averaged: reports, comparison and viewer."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec import structs

from mlebench.catalogue import Catalogue
from mlebench.records.folders import GroupFolder
from mlebench.records.group import read_group, write_group
from mlebench.results.attempts import by_agent, load_attempts
from mlebench.viewer.boards import CompetitionIndex
from mlebench.viewer.index import Index
from tests.command import call
from tests.results.made_runs import make_group

IDS = ["spaceship-titanic", "leaf-classification"]


def changed(group: GroupFolder, **facts: object) -> GroupFolder:
    """The group of an agent that differs in something."""
    write_group(structs.replace(read_group(group.metadata), **facts), group.metadata)
    return group


@pytest.fixture
def groups(tmp_path: Path) -> list[GroupFolder]:
    made = two_groups(tmp_path / "runs")
    return [changed(group, agent_digest=f"{k}" * 64) for k, group in enumerate(made)]


def two_groups(runs: Path) -> list[GroupFolder]:
    """Two groups of one agent, moved into one folder."""
    found = []
    for name in ("first", "second"):
        made = make_group(runs.parent / name, "mine", IDS, seeds=2, slim=True)
        runs.mkdir(exist_ok=True)
        found.append(GroupFolder(made.path.rename(runs / f"{made.path.name}-{name}")))
    return found


def test_reports_tell_them_apart(groups: list[GroupFolder]) -> None:
    attempts = load_attempts([group.path for group in groups])
    found = by_agent(attempts)
    assert list(found) == ["mine 00000000", "mine 11111111"]
    assert {a.seed for a in attempts} == {0, 1}, "seeds are counted within one identity"


def test_the_same_agent_keeps_its_name_and_its_seeds_add_up(tmp_path: Path) -> None:
    for group in two_groups(tmp_path / "runs"):
        changed(group, agent_digest="0" * 64)
    attempts = load_attempts([tmp_path / "runs"])
    assert set(by_agent(attempts)) == {"mine"}
    assert {a.seed for a in attempts} == {0, 1, 2, 3}


def test_versions_models_and_labels_count(groups: list[GroupFolder]) -> None:
    first, second = (changed(group, agent_digest="0" * 64) for group in groups)
    changed(first, agent_version="2")
    assert set(by_agent(load_attempts([first.path, second.path]))) == {"mine 2", "mine 1.2"}
    settings = structs.replace(read_group(second.metadata).settings, model="gpt-4.1")
    changed(second, agent_version="2", settings=settings)
    names = set(by_agent(load_attempts([first.path, second.path])))
    assert names == {"mine made-up-model-1", "mine gpt-4.1"}
    changed(second, label="with a model")
    names = set(by_agent(load_attempts([first.path, second.path])))
    assert names == {"mine", "with a model"}


def test_the_viewer_tells_them_apart(groups: list[GroupFolder], tmp_path: Path) -> None:
    root = groups[0].path.parent
    index = Index(root, CompetitionIndex(Catalogue()), tmp_path / "cache")
    index.refresh()
    named = {group["agent"] for group in index.as_json()["groups"]}
    assert named == {"mine 00000000", "mine 11111111"}
    changed(groups[1], agent_digest="0" * 64)
    index.refresh(is_forced=True)
    assert {group["agent"] for group in index.as_json()["groups"]} == {"mine"}


def test_commands_name_both_in_full(groups: list[GroupFolder], tmp_path: Path) -> None:
    root = groups[0].path.parent
    listed = call("runs", "--runs-dir", root).stdout
    assert "\tmine 00000000\t" in listed
    assert "\tmine 11111111\t" in listed
    compared = call("compare", *(group.path for group in groups)).stderr
    assert f"first: mine 00000000 in {groups[0].path.name}" in compared
    assert f"second: mine 11111111 in {groups[1].path.name}" in compared
    bundled = call("bundle", "make", root, "--out", tmp_path / "both.zip")
    assert "a bundle contains one agent, found mine 00000000, mine 11111111" in str(
        bundled.exception
    )
    assert not (tmp_path / "both.zip").exists()
    page = tmp_path / "report.html"
    assert call("report", root, "--html", page).exit_code == 0
    assert all(name in page.read_text() for name in ("mine 00000000", "mine 11111111"))
