"""Archives that preparation writes tell nothing but their content."""

from pathlib import Path

import py7zr
import pytest

from mlebench.archives.copying import seven_zip_files
from mlebench.archives.raw import RawFolder


def test_7z_is_the_same_bytes_every_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "b.bin").write_bytes(b"from a file")
    files = {"x/b.bin": RawFolder(tmp_path) / "b.bin", "a.txt": b"from memory"}
    seven_zip_files(files, tmp_path / "one.7z")
    monkeypatch.setattr("time.time", lambda: 2e9)
    seven_zip_files(files, tmp_path / "two.7z")
    assert (tmp_path / "one.7z").read_bytes() == (tmp_path / "two.7z").read_bytes()
    with py7zr.SevenZipFile(tmp_path / "one.7z") as archive:
        members = archive.list()
        archive.extractall(tmp_path / "out")
    assert [member.filename for member in members] == ["a.txt", "x/b.bin"]
    assert {member.creationtime.year for member in members} == {2020}
    assert (tmp_path / "out" / "x" / "b.bin").read_bytes() == b"from a file"
