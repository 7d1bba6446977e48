"""`prepare`, `verify` and `clean` as a user types them."""

from __future__ import annotations

import json
import re
import zipfile
from pathlib import Path

import pytest

from mlebench.catalogue import Catalogue
from tests.command import call

CID = "spaceship-titanic"


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """An archive of the user's own, outside the data folder."""
    made = tmp_path / "made"
    made.mkdir()
    Catalogue().get_competition(CID).make_rehearsal(made, 0, 1)
    path = tmp_path / "own" / f"{CID}.zip"
    path.parent.mkdir()
    with zipfile.ZipFile(path, "w") as new:
        for file in sorted(made.iterdir()):
            new.write(file, file.name)
    return path


def test_one_line_for_one_competition(tmp_path: Path) -> None:
    data = ("--data-dir", tmp_path)
    done = call("prepare", "-c", CID, "--rehearsal", *data)
    assert done.exit_code == 0
    assert done.stdout == ""
    first, second, third, fourth = done.stderr.splitlines()
    assert first.startswith(f"ok    {CID}  199 rows  5 files  0.0 MB  ")
    assert first.endswith("rehearsal")
    assert second.startswith("Prepared 1 of 1 competition in ")
    assert third == f"data: {tmp_path}"
    assert re.fullmatch(f"next: .*mlebench show {CID}", fourth)
    again = call("prepare", "-c", CID, "--rehearsal", *data)
    assert again.exit_code == 0
    assert "prepared already" in again.stderr


def test_table_and_exit_code_where_one_fails(archive: Path, tmp_path: Path) -> None:
    words = ("-c", CID, "-c", "leaf-classification", "--skip-verification")
    (archive.parent / "leaf-classification.zip").write_bytes(b"<html>")
    where = ("--archive", archive.parent, "--data-dir", tmp_path / "data")
    done = call("prepare", *words, *where)
    assert done.exit_code == 1
    head, *lines = done.stdout.splitlines()
    assert head.split("\t") == ["state", "competition", "rows", "files", "MB", "seconds", "note"]
    assert [line.split("\t")[:2] for line in lines] == [
        ["ok", CID],
        ["failed", "leaf-classification"],
    ]
    assert "is an HTML page" in lines[1]
    assert "fail  leaf-classification" in done.stderr
    assert archive.exists()


def test_json(archive: Path, tmp_path: Path) -> None:
    where = ("--archive", archive, "--data-dir", tmp_path / "data", "--json")
    done = call("prepare", "-c", CID, "--skip-verification", *where)
    (outcome,) = json.loads(done.stdout)["competitions"]
    assert (outcome["competition_id"], outcome["state"], outcome["files"]) == (CID, "ok", 5)
    done = call("prepare", "-c", CID, "--force", *where)
    assert done.exit_code == 1
    (outcome,) = json.loads(done.stdout)["competitions"]
    assert "not as published" in outcome["message"]
    assert "--skip-verification" in outcome["hint"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--obfuscated", "--official-descriptions"], "exclude each other"),
        (["--rehearsal", "--archive", "."], "excludes --archive"),
        (["--archive", "no-such-place"], "does not exist"),
        (["--scale", "0"], "--scale"),
        (["-j", "0"], "--jobs"),
    ],
)
def test_wrong_usage(words: list[str], message: str, tmp_path: Path) -> None:
    done = call("prepare", "-c", CID, "--data-dir", tmp_path, *words)
    assert done.exit_code == 2
    assert message in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_verify_and_clean(tmp_path: Path) -> None:
    data = ("--data-dir", tmp_path)
    call("prepare", "-c", CID, "--rehearsal", *data)
    done = call("verify", *data)
    assert done.exit_code == 0
    assert f"ok    {CID}  5 files  same" in done.stderr
    (tmp_path / CID / "prepared" / "public" / "train.csv").write_text("id\n")
    done = call("verify", "-c", CID, "--json", *data)
    assert done.exit_code == 1
    (found,) = json.loads(done.stdout)["competitions"]
    assert (found["state"], found["verdict"]) == ("fail", "different")
    assert found["findings"][0]["name"] == "public/train.csv"
    done = call("clean", "--prepared", "--dry-run", "--json", *data)
    would = json.loads(done.stdout)
    assert would["would_free_bytes"] > 0
    assert (tmp_path / CID / "prepared").exists()
    done = call("clean", "--prepared", *data)
    assert "freed" in done.stderr
    assert not (tmp_path / CID / "prepared").exists()
    assert call("verify", "-c", CID, *data).exit_code == 1
