"""The functions of `mlebench.data` that other programs call, against the stand-in server."""

from __future__ import annotations

import hashlib
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

import mlebench.data
from mlebench.catalogue import Catalogue
from mlebench.errors import DataError, UsageError
from mlebench.preparing.prepare import Rehearsal, prepare
from mlebench.registry import Competition, Registry
from tests.kaggle_server import Contest, KaggleServer
from tests.kaggle_server.fixtures import make_zip, pack_rehearsal


@pytest.fixture
def spaceship(tmp_path: Path) -> Competition:
    return Registry(tmp_path / "data").get_competition("spaceship-titanic")


def archive_of(competition: Competition) -> Path:
    return competition.raw_dir.parent / f"{competition.id}.zip"


@pytest.fixture
def rehearsal(spaceship: Competition, tmp_path: Path) -> bytes:
    located = Catalogue(tmp_path / "data").get_competition(spaceship.id)
    return pack_rehearsal(located, tmp_path / "rehearsal")


def test_download_and_prepare(
    kaggle_server: KaggleServer, spaceship: Competition, rehearsal: bytes
) -> None:
    kaggle_server.add(Contest(spaceship.id, rehearsal))
    with pytest.raises(DataError, match="not the one the benchmark was published with"):
        mlebench.data.download_and_prepare_dataset(spaceship)
    assert not mlebench.data.is_dataset_prepared(spaceship)
    mlebench.data.download_and_prepare_dataset(spaceship, skip_verification=True)
    assert mlebench.data.is_dataset_prepared(spaceship)
    assert archive_of(spaceship).read_bytes() == rehearsal
    asked = len(kaggle_server.requests)
    mlebench.data.download_and_prepare_dataset(spaceship)
    assert len(kaggle_server.requests) == asked


def test_prepared_rehearsal_data_stays(
    kaggle_server: KaggleServer, spaceship: Competition, tmp_path: Path
) -> None:
    kaggle_server.add(Contest(spaceship.id))
    prepare(Catalogue(tmp_path / "data").get_competition(spaceship.id), Rehearsal())
    mlebench.data.download_and_prepare_dataset(spaceship)
    assert kaggle_server.requests == []


def test_raw_data_goes_if_asked(
    kaggle_server: KaggleServer, spaceship: Competition, rehearsal: bytes
) -> None:
    kaggle_server.add(Contest(spaceship.id, rehearsal))
    mlebench.data.download_and_prepare_dataset(spaceship, keep_raw=False, skip_verification=True)
    assert mlebench.data.is_dataset_prepared(spaceship)
    assert not archive_of(spaceship).exists()
    assert not spaceship.raw_dir.exists()


def test_prepared_for_grading_only(
    kaggle_server: KaggleServer, spaceship: Competition, rehearsal: bytes
) -> None:
    kaggle_server.add(Contest(spaceship.id, rehearsal))
    mlebench.data.download_and_prepare_dataset(spaceship, skip_verification=True)
    shutil.rmtree(spaceship.public_dir)
    assert not mlebench.data.is_dataset_prepared(spaceship)
    assert mlebench.data.is_dataset_prepared(spaceship, grading_only=True)


def test_rules_not_accepted_ends_without_a_prompt(
    kaggle_server: KaggleServer, spaceship: Competition, monkeypatch: pytest.MonkeyPatch
) -> None:
    kaggle_server.add(Contest(spaceship.id, rules_accepted=False))
    monkeypatch.setattr("builtins.input", lambda *_: pytest.fail("a prompt"))
    with pytest.raises(UsageError, match="rules of spaceship-titanic are not accepted"):
        mlebench.data.download_and_prepare_dataset(spaceship)


def test_download_dataset(kaggle_server: KaggleServer, tmp_path: Path) -> None:
    contest = kaggle_server.add(Contest("not-in-our-catalogue", make_zip(1000)))
    path = mlebench.data.download_dataset("not-in-our-catalogue", tmp_path / "new", quiet=True)
    assert path == tmp_path / "new" / "not-in-our-catalogue.zip"
    old, contest.archive = contest.archive, make_zip(2000)
    assert mlebench.data.download_dataset("not-in-our-catalogue", path.parent) == path
    assert path.read_bytes() == old
    mlebench.data.download_dataset("not-in-our-catalogue", path.parent, force=True)
    assert path.read_bytes() == contest.archive
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_leaderboards(kaggle_server: KaggleServer, spaceship: Competition, tmp_path: Path) -> None:
    kaggle_server.add(Contest(spaceship.id, scores=[f"{1 - k / 9999:.5f}" for k in range(2300)]))
    assert mlebench.data.ensure_leaderboard_exists(spaceship) == spaceship.leaderboard
    assert len(mlebench.data.get_leaderboard(spaceship)) == 2288
    assert kaggle_server.requests == []
    full = mlebench.data.ensure_leaderboard_exists(spaceship, force=True)
    assert full == spaceship.raw_dir.parent / "leaderboard.csv"
    board = mlebench.data.get_leaderboard(spaceship)
    assert list(board.columns) == ["score"]
    assert len(board) == 2300
    without_any = replace(spaceship, leaderboard=tmp_path / "none.csv")
    full.unlink()
    assert mlebench.data.ensure_leaderboard_exists(without_any).is_file()


def test_checksums(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(b"a\n1\n")
    (tmp_path / "b.jsonl").write_bytes(b"{}\n")
    (tmp_path / "c.txt").write_bytes(b"no data")
    (tmp_path / "folder.csv").mkdir()
    a, b = hashlib.md5(b"a\n1\n").hexdigest(), hashlib.md5(b"{}\n").hexdigest()
    assert mlebench.data.get_checksum(tmp_path / "a.csv") == a
    assert mlebench.data.generate_checksums(tmp_path) == {"a.csv": a, "b.jsonl": b}
    assert mlebench.data.generate_checksums(tmp_path, exts=["csv"]) == {"a.csv": a}
    assert mlebench.data.generate_checksums(tmp_path, exclude=[tmp_path / "a.csv"]) == {
        "b.jsonl": b
    }
