"""Raw data in a folder and in an archive answers alike."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from mlebench.archives.copying import copy_folder
from mlebench.archives.raw import Raw, RawFolder, RawPacked
from mlebench.errors import DataError


@pytest.fixture(params=["folder", "zip"])
def raw(request: pytest.FixtureRequest, tmp_path: Path) -> Raw:
    (tmp_path / "raw" / "train").mkdir(parents=True)
    (tmp_path / "raw" / "train" / "1.png").write_bytes(b"image")
    if request.param == "folder":
        return RawFolder(tmp_path / "raw")
    with zipfile.ZipFile(tmp_path / "raw.zip", "w") as archive:
        archive.write(tmp_path / "raw" / "train" / "1.png", "train/1.png")
    packed = RawPacked.of_zip(tmp_path / "raw.zip")
    request.addfinalizer(packed.close)
    return packed


def test_walk(raw: Raw) -> None:
    assert [file.path for file in raw.walk()] == ["train/1.png"]
    assert [file.path for file in (raw / "train").files("**/*.png")] == ["train/1.png"]


@pytest.mark.parametrize("name", ["test", "train/1.png"])
def test_folder_that_is_missing(raw: Raw, name: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=f"no folder '{name}'"):
        copy_folder(raw / name, tmp_path / "public")
