"""Writes files to the prepared folders, in the order of their public names.

Copies that kept the inode order or times of an archive sorted by class would reveal the labels.
"""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, cast

from mlebench.archives.digests import HashingStream, members_digest
from mlebench.archives.raw import Raw
from mlebench.archives.write_log import log_of, published
from mlebench.archives.writing import copy_files

__all__ = [
    "copy_file",
    "copy_files",
    "copy_folder",
    "copy_split",
    "seven_zip_files",
    "zip_files",
    "zip_member",
]

CONSTANT_DATE = (2020, 1, 1, 0, 0, 0)


def copy_file(source: Raw, target: Path) -> None:
    """Write one file under a new name."""
    copy_files({target.name: source}, target.parent)


def copy_split(
    raw: Raw, pattern: str, public: Path, *, train: Iterable[object], test: Iterable[object]
) -> None:
    """Copy the file of each id of both parts, found by a pattern such as `train/{}.jpg`.

    The raw files are all found by the pattern; in the public data the first `train` of
    it becomes `test` for the ids of the test part.
    """
    for ids, target in ((train, pattern), (test, pattern.replace("train", "test", 1))):
        copy_files({target.format(id): raw / pattern.format(id) for id in ids}, public)


def copy_folder(source: Raw, folder: Path) -> None:
    """Copy everything below a folder, with the same names."""
    copy_files({source.relative(file): file for file in source.walk()}, folder)


def zip_files(files: Mapping[str, Raw | bytes], target: Path) -> None:
    """Write a zip whose members are sorted by their public names and have the same date."""
    target.parent.mkdir(parents=True, exist_ok=True)
    hashes = []
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(files):
            member = zipfile.ZipInfo(name, CONSTANT_DATE)
            data = published(target, name, _content(files[name]))
            archive.writestr(member, data, zipfile.ZIP_DEFLATED)
            hashes.append((name, hashlib.sha256(data).hexdigest()))
    _log_members(target, hashes)


@contextmanager
def zip_member(target: Path, name: str, *, deflated: bool = True) -> Iterator[IO[bytes]]:
    """The only member of a zip, to be written as a stream."""
    member = zipfile.ZipInfo(name, CONSTANT_DATE)
    member.compress_type = zipfile.ZIP_DEFLATED if deflated else zipfile.ZIP_STORED
    with (
        zipfile.ZipFile(target, "w") as archive,
        archive.open(member, "w", force_zip64=True) as stream,
    ):
        hashing = HashingStream(stream)
        yield cast(IO[bytes], hashing)
    _log_members(target, [(name, hashing.digest.hexdigest())])


def _log_members(archive: Path, hashes: Iterable[tuple[str, str]]) -> None:
    if log := log_of(archive):
        log.contents[str(archive)] = members_digest(hashes)


def seven_zip_files(files: Mapping[str, Raw | bytes], target: Path) -> None:
    """Write a 7z as `zip_files` writes a zip, but without compression: images do not shrink."""
    import py7zr
    from py7zr.helpers import ArchiveTimestamp

    target.parent.mkdir(parents=True, exist_ok=True)
    date = ArchiveTimestamp.from_datetime(datetime(*CONSTANT_DATE, tzinfo=UTC).timestamp())
    times = dict.fromkeys(("creationtime", "lastwritetime", "lastaccesstime"), date)
    with py7zr.SevenZipFile(target, "w", filters=[{"id": py7zr.FILTER_COPY}]) as archive:
        for name in sorted(files):
            archive.writestr(published(target, name, _content(files[name])), name)
            # py7zr would store the time of writing, and keep all the data until the end.
            archive.header.files_info.files[-1].update(times, data=None)


def _content(source: Raw | bytes) -> bytes:
    return source if isinstance(source, bytes) else source.read_bytes()
