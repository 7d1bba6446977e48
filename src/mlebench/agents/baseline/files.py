"""The files of the data folder, including files inside archives."""

from __future__ import annotations

import io
import os
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import BinaryIO, cast

IMAGES = frozenset((".png", ".jpg", ".jpeg", ".tif", ".tiff", ".bmp", ".gif"))
TABLES = frozenset((".csv", ".tsv", ".json", ".jsonl"))


@dataclass(frozen=True)
class Found:
    """A file of the data folder, or a member of a zip file there."""

    path: str
    """Below the data folder, with `/`; for a member, the archive's folder and the member's name."""

    size: int
    place: Path
    archive: zipfile.ZipFile | None = None
    member: str = ""

    @property
    def name(self) -> str:
        return PurePosixPath(self.path).name

    @property
    def stem(self) -> str:
        return PurePosixPath(self.path).stem

    @property
    def suffix(self) -> str:
        return PurePosixPath(self.path).suffix.lower()

    def open(self) -> BinaryIO:
        if self.archive:
            return cast(BinaryIO, self.archive.open(self.member))
        return self.place.open("rb")

    def read(self) -> bytes:
        with self.open() as stream:
            return stream.read()

    def seekable(self) -> BinaryIO:
        """A stream for readers that seek."""
        return io.BytesIO(self.read()) if self.archive else self.place.open("rb")


def look(folder: Path, scratch: Path) -> list[Found]:
    """Every file below the folder and inside its archives, sorted by path.

    Args:
        scratch: a folder into which archives are extracted that cannot be read in place.
    """
    return sorted(_walk(folder, scratch), key=lambda found: found.path)


def _walk(folder: Path, scratch: Path) -> Iterator[Found]:
    for home, _, names in os.walk(folder):
        for name in names:
            place = Path(home) / name
            path = place.relative_to(folder).as_posix()
            if place.suffix.lower() == ".zip":
                yield from _members(place, path)
            elif place.suffix.lower() == ".7z":
                yield from _unpacked(place, path, scratch)
            elif place.is_file():
                yield Found(path, place.stat().st_size, place)


def _members(place: Path, path: str) -> Iterator[Found]:
    try:
        archive = zipfile.ZipFile(place)
    except (OSError, zipfile.BadZipFile):
        return
    # As `train.zip/0001.png`: the archive's name still distinguishes train and test.
    for info in archive.infolist():
        if not info.is_dir() and not info.filename.startswith("__MACOSX"):
            inner = f"{path}/{info.filename}"
            yield Found(inner, info.file_size, place, archive, info.filename)


def _unpacked(place: Path, path: str, scratch: Path) -> Iterator[Found]:
    """The content of a 7z file, if py7zr is installed."""
    try:
        import py7zr
    except ImportError:
        return
    goal = scratch / path
    try:
        with py7zr.SevenZipFile(place) as archive:
            archive.extractall(goal)
    except (OSError, py7zr.exceptions.ArchiveError):
        return
    for found in _walk(goal, scratch):
        yield Found(f"{path}/{found.path}", found.size, found.place, found.archive, found.member)


def is_of_test(path: str) -> bool:
    """Whether a path contains `test` and not `train`."""
    words = path.lower()
    return "test" in words and "train" not in words
