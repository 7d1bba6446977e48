"""The index: incremental, kept outside the runs folder, small enough for ten thousand runs."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from mlebench.catalogue import Catalogue
from mlebench.records.run import read_run, write_run
from mlebench.viewer import rows, scan
from mlebench.viewer.answers import encode
from mlebench.viewer.boards import CompetitionIndex
from mlebench.viewer.index import Index
from tests.results.made_runs import make_group, make_many

IDS = ["spaceship-titanic", "leaf-classification"]


@pytest.fixture
def competitions() -> CompetitionIndex:
    return CompetitionIndex(Catalogue())


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Files that were read, not only looked at."""
    found: list[str] = []
    read: Callable[..., Any] = rows._read
    read_plan: Callable[..., Any] = scan._read_plan

    def noted(folder: int, name: str) -> Any:
        found.append(name)
        return read(folder, name)

    def noted_plan(*arguments: Any) -> Any:
        found.append("metadata.json")
        return read_plan(*arguments)

    monkeypatch.setattr(rows, "_read", noted)
    monkeypatch.setattr(scan, "_read_plan", noted_plan)
    return found


def tree_of(folder: Path) -> dict[str, int]:
    return {str(path): path.lstat().st_mtime_ns for path in folder.rglob("*")}


def test_only_what_changed_is_read_and_sent(
    tmp_path: Path, competitions: CompetitionIndex, reads: list[str]
) -> None:
    runs = tmp_path / "runs"
    group = make_group(runs, "aide", IDS, seeds=2, outcomes=["gold", "running"], slim=True)
    index = Index(runs, competitions, tmp_path / "cache")
    index.refresh(is_forced=True)
    whole = index.as_json()
    assert whole["replaces"] and sorted(whole["runs"]["outcome"]) == ["G", "G", "r", "r"]
    reads.clear()
    assert index.refresh(is_forced=True) == whole["version"]
    assert reads == []
    row = whole["runs"]["outcome"].index("r")
    planned = json.loads(group.metadata.read_text())["runs"][row]
    state = group.run(planned["run_id"]).state
    write_run(structs.replace(read_run(state), state="cancelled", reason="stop"), state)
    version = index.refresh(is_forced=True)
    assert version != whole["version"] and reads == ["run.json"]
    part = index.as_json(whole["version"])
    assert part["replaces"] is False
    assert part["runs"]["at"] == [row] and part["runs"]["outcome"] == "c"
    assert part["reasons"][part["runs"]["reason"][0]] == "stop"
    assert [g["counts"]["cancelled"] for g in part["groups"]] == [1]
    assert index.as_json(version)["runs"]["at"] == []
    assert index.as_json("other-1")["replaces"] is True
    assert index.as_json("nonsense")["replaces"] is True


def test_new_and_deleted_groups(tmp_path: Path, competitions: CompetitionIndex) -> None:
    runs = tmp_path / "runs"
    make_group(runs, "later", IDS, number=5, outcomes=["gold"], slim=True)
    index = Index(runs, competitions, tmp_path / "cache")
    before = index.refresh(is_forced=True)
    assert len(index.as_json()["runs"]["key"]) == 2
    early = make_group(runs, "earlier", IDS, number=1, outcomes=["silver"], slim=True)
    index.refresh(is_forced=True)
    part = index.as_json(before)
    # Rows keep their numbers although the new group is older.
    assert part["runs"]["at"] == [2, 3] and part["runs"]["group"] == [1, 1]
    assert [group["agent"] for group in part["groups"]] == ["earlier"]
    whole = index.as_json()
    assert [group["agent"] for group in whole["groups"]] == ["later", "earlier"]
    early.metadata.unlink()
    index.refresh(is_forced=True)
    again = index.as_json(part["version"])
    assert again["replaces"] is True
    assert [group["agent"] for group in again["groups"]] == ["later"]


def test_second_start_reads_nothing_that_is_known(
    tmp_path: Path, competitions: CompetitionIndex, reads: list[str]
) -> None:
    runs, cache = tmp_path / "runs", tmp_path / "cache"
    make_group(runs, "aide", IDS, seeds=2, slim=True)
    before = tree_of(runs)
    first = Index(runs, competitions, cache)
    first.refresh()
    first.close()
    assert reads.count("run.json") == 4
    reads.clear()
    second = Index(runs, competitions, cache)
    second.refresh()
    assert reads == []
    ours, theirs = first.as_json(), second.as_json()
    for facts in (ours, theirs):
        facts.pop("version"), facts.pop("updated_at")
    assert ours == theirs
    assert tree_of(runs) == before, "nothing is written into the runs folder"
    (file,) = cache.iterdir()
    assert file.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"{}",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"schema": 99, "groups": []}',
        b'{"schema": 1, "groups": [{"id": "x"}]}',
        b'{"schema": 1, "groups": 7}',
    ],
)
def test_damaged_cache_is_made_anew(
    tmp_path: Path, competitions: CompetitionIndex, damage: bytes
) -> None:
    runs, cache = tmp_path / "runs", tmp_path / "cache"
    make_group(runs, "aide", IDS, outcomes=["gold"], slim=True)
    index = Index(runs, competitions, cache)
    index.refresh()
    index.close()
    (file,) = cache.iterdir()
    file.write_bytes(damage)
    again = Index(runs, competitions, cache)
    again.refresh()
    assert again.as_json()["runs"]["outcome"] == "GG"
    again.close()
    assert json.loads(file.read_bytes())["groups"][0]["rows"]


def test_rows_cut_in_the_cache_are_read_again(
    tmp_path: Path, competitions: CompetitionIndex
) -> None:
    runs, cache = tmp_path / "runs", tmp_path / "cache"
    make_group(runs, "aide", IDS, outcomes=["gold"], slim=True)
    index = Index(runs, competitions, cache)
    index.refresh()
    index.close()
    (file,) = cache.iterdir()
    data = json.loads(file.read_text())
    data["groups"][0]["rows"] = data["groups"][0]["rows"][:1]
    file.write_text(json.dumps(data))
    again = Index(runs, competitions, cache)
    again.refresh()
    assert again.as_json()["runs"]["outcome"] == "GG"


def test_a_cache_that_cannot_be_written_is_no_fault(
    tmp_path: Path, competitions: CompetitionIndex
) -> None:
    runs, cache = tmp_path / "runs", tmp_path / "file"
    make_group(runs, "aide", IDS, outcomes=["gold"], slim=True)
    cache.write_text("not a folder")
    index = Index(runs, competitions, cache)
    index.refresh()
    index.close()
    assert index.as_json()["runs"]["outcome"] == "GG"


def test_numbers_that_no_float_can_hold(tmp_path: Path, competitions: CompetitionIndex) -> None:
    group = make_group(tmp_path / "runs", "aide", IDS, outcomes=["gold"], slim=True)
    file = next(group.path.glob("*/run.json"))
    huge = {"name": "m", "input_tokens": 10**400, "cost": 10**400}
    file.write_text(json.dumps(json.loads(file.read_text()) | {"model": huge, "seconds": 10**400}))
    index = Index(tmp_path / "runs", competitions, tmp_path / "cache")
    index.refresh()
    runs = index.as_json()["runs"]
    assert runs["outcome"] == "GG"
    assert all(None in runs[name] for name in ("seconds", "cost", "tokens"))


def test_runs_with_the_same_first_digits_get_longer_keys() -> None:
    keys = scan.make_keys(["a_12345678-1111", "b_12345678-2222", "c_87654321-3333"])
    assert keys == {
        "12345678-1111": 0,
        "12345678-2222": 1,
        "87654321": 2,
        "87654321-3333": 2,
        "a_12345678-1111": 0,
        "b_12345678-2222": 1,
        "c_87654321-3333": 2,
    }


@pytest.mark.long
def test_ten_thousand_runs_are_one_small_reply(
    tmp_path: Path, competitions: CompetitionIndex
) -> None:
    runs = tmp_path / "runs"
    # Three thousand are made in seconds; what is left grows in proportion.
    make_many(runs, 3000)
    index = Index(runs, competitions, tmp_path / "cache")
    index.refresh()
    data = index.as_json()
    count = len(data["runs"]["key"])
    assert count >= 3000
    assert len(gzip.compress(encode(data), 6)) / count * 10_000 < 300_000


def test_a_scan_leaves_the_disk_alone_for_a_while(
    tmp_path: Path, competitions: CompetitionIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_group(tmp_path / "runs", "aide", IDS, outcomes=["gold"], slim=True)
    index = Index(tmp_path / "runs", competitions, tmp_path / "cache")
    looks: list[str] = []
    look = os.stat
    index.refresh()
    monkeypatch.setattr(
        os, "stat", lambda path, **more: looks.append(str(path)) or look(path, **more)
    )
    for _ in range(50):
        index.refresh()
    assert len([path for path in looks if path.endswith("run.json")]) <= 4
