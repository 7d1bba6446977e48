"""Three verdicts about prepared data, and cleaning up."""

from __future__ import annotations

import json
import zipfile
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from mlebench.archives.contents import content_digest
from mlebench.catalogue import Catalogue, LocatedCompetition
from mlebench.errors import DataError, UsageError
from mlebench.preparing.clean import clean, folders_with_data
from mlebench.preparing.options import PrepareOptions, Rehearsal, silent
from mlebench.preparing.prepare import prepare
from mlebench.preparing.staging import STAGING, locked
from mlebench.preparing.verify import verify
from mlebench.system.files import md5_of


@pytest.fixture
def cactus(tmp_path: Path) -> LocatedCompetition:
    competition = Catalogue(tmp_path).get_competition("aerial-cactus-identification")
    prepare(competition, Rehearsal())
    return competition


def repack(archive: Path) -> None:
    """The same members, packed in another way."""
    with zipfile.ZipFile(archive) as old:
        members = {info.filename: old.read(info) for info in old.infolist()}
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_STORED) as new:
        for name in sorted(members, reverse=True):
            new.writestr(name, members[name])


def test_same(cactus: LocatedCompetition) -> None:
    found = verify(cactus)
    assert (found.verdict, found.findings, found.files) == ("same", [], 6)
    assert "rehearsal" in str(found.note)


def test_same_content_names_the_library(cactus: LocatedCompetition) -> None:
    repack(cactus.folder.public / "train.zip")
    found = verify(cactus)
    assert found.verdict == "same content"
    (finding,) = found.findings
    assert finding.name == "public/train.zip"
    assert "zlib" in finding.reason


@pytest.mark.parametrize(
    ("name", "change", "expected"),
    [
        ("private/test.csv", lambda data: data[:-2] + bytes([data[-2] ^ 1]) + b"\n", "SHA-256"),
        ("public/train.csv", lambda data: data + b"x", "bytes, the manifest says"),
        ("public/train.zip", lambda data: data[:-1] + b"x", "SHA-256"),
        ("public/description.md", lambda data: None, "is missing"),
        ("public/extra.csv", lambda data: b"new", "is not in the manifest"),
    ],
)
def test_different_tells_the_first_difference(
    cactus: LocatedCompetition, name: str, change: object, expected: str
) -> None:
    repack(cactus.folder.public / "test.zip")
    path = cactus.folder.prepared / name
    data = change(path.read_bytes() if path.exists() else b"")  # type: ignore[operator]
    if data is None:
        path.unlink()
    else:
        path.write_bytes(data)
    found = verify(cactus)
    assert found.verdict == "different"
    assert found.findings[0].name == name
    assert expected in found.findings[0].reason
    assert found.findings[1].verdict == "same content"


def test_changed_answers_are_found(cactus: LocatedCompetition) -> None:
    path = cactus.answers
    data = bytearray(path.read_bytes())
    data[-2] ^= 1
    path.write_bytes(data)
    found = verify(cactus)
    assert found.verdict == "different"
    assert [finding.name for finding in found.findings] == [cactus.definition.answers]
    assert "the manifest says" in found.findings[0].reason


def test_tampered_file_list(cactus: LocatedCompetition) -> None:
    path = cactus.folder.prepared / "files.jsonl"
    path.write_text(path.read_text().replace('"size": ', '"size": 1', 1))
    with pytest.raises(DataError, match=r"files\.jsonl does not match"):
        verify(cactus)


def test_official_checksums(cactus: LocatedCompetition, tmp_path: Path) -> None:
    """Only the files listed are compared; an archive's bytes prove nothing."""
    manifest = cactus.folder.manifest
    manifest.write_text(
        manifest.read_text().replace('"is_rehearsal": true', '"is_rehearsal": false')
    )
    home = tmp_path / "declared"
    home.mkdir()
    right = md5_of(cactus.folder.private / "test.csv")
    official = {"public": {"train.zip": "0" * 32}, "private": {"test.csv": right}, "zip": "1" * 32}
    (home / "checksums.json").write_text(json.dumps(official))
    competition = replace(cactus, home=home)
    found = verify(competition)
    assert (found.verdict, found.official) == ("same content", 2)
    assert "zlib" in found.findings[0].reason
    official["private"]["test.csv"] = "2" * 32  # type: ignore[index]
    (home / "checksums.json").write_text(json.dumps(official))
    found = verify(competition)
    assert found.verdict == "different"
    assert "officially" in found.findings[0].reason


def test_not_prepared(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is not prepared"):
        verify(Catalogue(tmp_path).get_competition("spaceship-titanic"))


def test_content_of_parquet(tmp_path: Path) -> None:
    frame = pd.DataFrame({"a": [1, 2, 3], "b": [0.5, None, 1.5], "c": ["x", None, "z"]})
    frame.to_parquet(tmp_path / "one.parquet")
    frame.to_parquet(tmp_path / "two.parquet", compression="gzip", row_group_size=2)
    frame.assign(a=[1, 2, 4]).to_parquet(tmp_path / "three.parquet")
    one, two, three = (content_digest(tmp_path / f"{n}.parquet") for n in ("one", "two", "three"))
    assert one == two
    assert one != three


def test_clean(cactus: LocatedCompetition) -> None:
    folder = cactus.folder
    for place in (folder.raw, folder.path / f"{STAGING}dead"):
        place.mkdir()
        (place / "file").write_bytes(bytes(10_000))
    folder.archive.write_bytes(bytes(20_000))
    folder.archive.with_name(f"{folder.archive.name}.part").write_bytes(bytes(5_000))
    assert [f.id for f in folders_with_data(folder.root)] == [folder.id]
    would = clean(folder, dry_run=True)
    # A rehearsal is no reason to drop the real raw data.
    assert {item.kind for item in would} == {"leftovers"}
    assert sum(item.bytes for item in would) >= 15_000
    assert (folder.path / f"{STAGING}dead").exists()
    clean(folder)
    assert sorted(p.name for p in folder.path.iterdir()) == [
        ".lock",
        folder.archive.name,
        "prepared",
        "raw",
    ]
    clean(folder, ["raw", "archive", "prepared"])
    assert [p.name for p in folder.path.iterdir()] == [".lock"]
    assert folders_with_data(folder.root) == []


def test_clean_keeps_off_what_is_in_use(cactus: LocatedCompetition) -> None:
    with (
        locked(cactus.folder, silent),
        pytest.raises(UsageError, match="is currently preparing"),
    ):
        clean(cactus.folder, ["prepared"])
    assert cactus.folder.prepared.exists()


def test_clean_drops_raw_data_that_is_prepared(cactus: LocatedCompetition, tmp_path: Path) -> None:
    folder = cactus.folder
    folder.raw.mkdir()
    cactus.make_rehearsal(folder.raw, 0, 1)
    prepare(cactus, options=PrepareOptions(verify=False))
    assert {item.kind for item in clean(folder)} == {"raw"}
    assert not folder.raw.exists()
    assert verify(cactus).verdict == "different"
