"""Archives inside the raw data: without the time of writing, so that the same members are the same
bytes."""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile
from collections.abc import Iterable, Iterator

from mlebench.rehearsal.content import File
from mlebench.rehearsal.declared import Making, Part, Table, files_of

EPOCH = (2020, 1, 1, 0, 0, 0)
EPOCH_SECONDS = 1577836800


def zip_bytes(members: Iterable[File]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            archive.writestr(zipfile.ZipInfo(name, EPOCH), content, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def tar_gz_bytes(members: Iterable[File]) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for name, content in members:
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    packed = io.BytesIO()
    # Not gzip.compress, whose header names the platform in some versions of Python.
    with gzip.GzipFile(filename="", fileobj=packed, mode="wb", mtime=0) as stream:
        stream.write(out.getvalue())
    return packed.getvalue()


def seven_zip_bytes(members: Iterable[File]) -> bytes:
    from unittest.mock import patch

    import py7zr
    from py7zr.helpers import ArchiveTimestamp

    out = io.BytesIO()
    epoch = ArchiveTimestamp.from_datetime(EPOCH_SECONDS)
    # py7zr stamps members with the present time and has no argument for another one.
    stopped = patch.object(ArchiveTimestamp, "from_now", return_value=epoch)
    with stopped, py7zr.SevenZipFile(out, "w") as archive:
        for name, content in members:
            archive.writestr(content, name)
    return out.getvalue()


class Zip:
    """A zip file whose members are the files of other parts."""

    pack = staticmethod(zip_bytes)

    def __init__(self, name: str, *parts: Part) -> None:
        self.name = name
        self.parts = parts

    def __call__(self, making: Making) -> Iterator[File]:
        yield self.name, self.pack(files_of(self.parts, making))


class SevenZip(Zip):
    """A 7z file whose members are the files of other parts."""

    pack = staticmethod(seven_zip_bytes)


class TarGz(Zip):
    """A gzipped tar file whose members are the files of other parts."""

    pack = staticmethod(tar_gz_bytes)


def zipped(part: File | Table) -> Zip:
    """A zip file with a single member and its name: `train.csv.zip` of `train.csv`."""
    return Zip(f"{part.name if isinstance(part, Table) else part[0]}.zip", part)
