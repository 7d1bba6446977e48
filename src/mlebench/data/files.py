"""Putting files into the prepared folders: written anew, in the order of their public names.

A copy that keeps the inode order or the times of a class-sorted archive gives the labels away.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path

from mlebench.data.raw import Raw

CONSTANT_DATE = (2020, 1, 1, 0, 0, 0)


def copy_files(files: Mapping[str, Raw], folder: Path) -> None:
    """Write each source under its public name below the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in sorted(files):
        target = folder / name
        if "/" in name:
            target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(files[name].read_bytes())


def copy_file(source: Raw, target: Path) -> None:
    """Write one file under a new name."""
    copy_files({target.name: source}, target.parent)


def copy_split(
    raw: Raw, pattern: str, public: Path, *, train: Iterable[object], test: Iterable[object]
) -> None:
    """Copy the file of each id of both parts, found by a pattern such as `train/{}.jpg`.

    All of them lie in the raw data where the pattern says; in the public data the first `train` of
    it becomes `test` for the ids of the test part.
    """
    for ids, target in ((train, pattern), (test, pattern.replace("train", "test", 1))):
        copy_files({target.format(id): raw / pattern.format(id) for id in ids}, public)


def copy_folder(source: Raw, folder: Path) -> None:
    """Write everything below a folder, names unchanged."""
    copy_files({source.relative(file): file for file in source.walk()}, folder)


def zip_files(files: Mapping[str, Raw | bytes], target: Path) -> None:
    """Write a zip whose members follow their public names and carry one constant date."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(files):
            member = zipfile.ZipInfo(name, CONSTANT_DATE)
            archive.writestr(member, _content(files[name]), zipfile.ZIP_DEFLATED)


def seven_zip_files(files: Mapping[str, Raw | bytes], target: Path) -> None:
    """Write a 7z like `zip_files`; its members are stored, since pictures do not shrink."""
    import py7zr
    from py7zr.helpers import ArchiveTimestamp

    target.parent.mkdir(parents=True, exist_ok=True)
    date = ArchiveTimestamp.from_datetime(datetime(*CONSTANT_DATE, tzinfo=UTC).timestamp())
    times = dict.fromkeys(("creationtime", "lastwritetime", "lastaccesstime"), date)
    with py7zr.SevenZipFile(target, "w", filters=[{"id": py7zr.FILTER_COPY}]) as archive:
        for name in sorted(files):
            archive.writestr(_content(files[name]), name)
            # py7zr would store the time of writing, and keep all the data until the end.
            archive.header.files_info.files[-1].update(times, data=None)


def _content(source: Raw | bytes) -> bytes:
    return source if isinstance(source, bytes) else source.read_bytes()
