"""Revision v1.1 publishes pictures of test items without tags that tell labels; v1 has them all."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest
from PIL import ExifTags, Image

from mlebench.archives.raw import RawFolder
from mlebench.archives.unpacking import unpacked
from mlebench.archives.write_log import OutputPath, WriteLog
from mlebench.archives.writing import LARGEST_CLEANED, WHOLE_BYTES, copy_files
from mlebench.audit.audited import Audited
from mlebench.audit.metadata import check_metadata
from mlebench.catalogue import Catalogue, LocatedCompetition
from mlebench.preparing.options import PrepareOptions
from mlebench.preparing.order import read_ids
from mlebench.preparing.pictures import clean
from mlebench.preparing.prepare import prepare
from mlebench.preparing.sharing import is_of_test
from mlebench.system.files import sha256
from tests.preparing.pictures.dicom_files import EXPLICIT, picture

LEAVES = "plant-pathology-2020-fgvc7"
MOLES = "siim-isic-melanoma-classification"
SCALE = 5
"""The audit needs some test items."""


def both(
    root: Path, competition_id: str, plant: Callable[[Path], None]
) -> list[LocatedCompetition]:
    """Both revisions, prepared from rehearsal data with labels in tags; v1 is first."""
    found = [Catalogue(root, revision=r).get_competition(competition_id) for r in ("v1", "v1.1")]
    raw = found[0].folder.raw
    raw.mkdir(parents=True)
    found[0].make_rehearsal(raw, 1, SCALE)
    plant(raw)
    for competition in found:
        prepare(competition, options=PrepareOptions(verify=False))
    return found


def describe_leaves(raw: Path) -> None:
    table = pd.read_csv(raw / "train.csv").set_index("image_id")
    for name, label in table.idxmax(axis=1).items():
        exif, file = Image.Exif(), raw / "images" / f"{name}.jpg"
        exif[ExifTags.Base.ImageDescription] = f"label: {label}"
        segment = b"\xff\xe1" + struct.pack(">H", len(exif.tobytes()) + 2) + exif.tobytes()
        file.write_bytes(file.read_bytes().replace(b"\xff\xdb", segment + b"\xff\xdb", 1))


def describe_moles(raw: Path) -> None:
    table = pd.read_csv(raw / "train.csv").set_index("image_name")
    for name, label in table["target"].items():
        described = EXPLICIT.element(0x0008103E, "LO", f"label: {label}".encode())
        (raw / "train" / f"{name}.dcm").write_bytes(picture(EXPLICIT, described))


def telling(competition: LocatedCompetition, suffix: str) -> dict[bool, set[bool]]:
    """Whether files of test items, and others, have a label."""
    public = competition.public_dir
    found: dict[bool, set[bool]] = {True: set(), False: set()}
    ids = read_ids(competition.folder.prepared, competition.definition)
    for file in public.rglob(f"*{suffix}"):
        name = file.relative_to(public.parent).as_posix()
        found[is_of_test(name, ids)].add(b"label: " in file.read_bytes())
    return found


@pytest.mark.parametrize(
    ("competition_id", "plant", "suffix", "tag"),
    [
        (LEAVES, describe_leaves, ".jpg", "'ImageDescription'"),
        (MOLES, describe_moles, ".dcm", "'0008,103e'"),
    ],
)
def test_labels_in_tags(
    competition_id: str, plant: Callable[[Path], None], suffix: str, tag: str, tmp_path: Path
) -> None:
    v1, revised = both(tmp_path, competition_id, plant)
    assert telling(v1, suffix) == {True: {True}, False: {True}}
    assert telling(revised, suffix) == {True: {False}, False: {True}}
    assert any(f"tag {tag} of test files separates" in text for text in metadata_fails(v1))
    assert metadata_fails(revised) == []


def metadata_fails(competition: LocatedCompetition) -> list[str]:
    with Audited.open(competition, with_baseline=False) as audited:
        return [found.evidence for found in check_metadata(audited) if found.status == "fail"]


@pytest.mark.parametrize(
    ("competition_id", "archive"),
    [
        ("aerial-cactus-identification", "{}.zip"),
        ("inaturalist-2019-fgvc6", "{}2019.tar"),
        ("invasive-species-monitoring", "{}.7z"),
    ],
)
def test_members_of_archives(
    competition_id: str, archive: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mlebench.preparing.tags.clean", lambda data: b"clean" + data)
    _, revised = both(tmp_path, competition_id, lambda raw: None)
    train = "train_val" if competition_id.startswith("inat") else "train"
    for part, is_clean in (("test", True), (train, False)):
        with unpacked(RawFolder(revised.public_dir) / archive.format(part)) as content:
            pictures = [member.read_bytes() for member in content.walk()]
        assert pictures
        assert {data.startswith(b"clean") for data in pictures} == {is_clean}


def test_validation_pictures_are_no_test_items() -> None:
    """Their folders have the numbers of classes, which are also ids of test items."""
    assert not is_of_test("public/val2019.tar/Plants/400/a.jpg", {b"400"})


def test_large_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are written in pieces, unless they are pictures of test items."""
    raw = tmp_path / "raw"
    raw.mkdir()
    long = EXPLICIT.element(0x00091001, "OW", b"secret" * WHOLE_BYTES)
    (raw / "a.dcm").write_bytes(picture(EXPLICIT, long))
    for limit, is_cleaned in ((LARGEST_CLEANED, True), (WHOLE_BYTES, False)):
        monkeypatch.setattr("mlebench.archives.writing.LARGEST_CLEANED", limit)
        log = WriteLog(find_cleaner=lambda path: clean)
        copy_files({"a.dcm": RawFolder(raw) / "a.dcm"}, OutputPath.of(tmp_path / "out", log))
        file = tmp_path / "out" / "a.dcm"
        assert (b"secret" not in file.read_bytes()) is is_cleaned
        assert log.hashes[str(file)] == (file.stat().st_size, sha256(file))
