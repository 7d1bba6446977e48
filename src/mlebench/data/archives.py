"""Archives inside the raw data: zip is read in place, 7z and tar are unpacked to scratch."""

from __future__ import annotations

import shutil
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from mlebench.data.files import copy_folder
from mlebench.data.raw import Raw, RawFolder, RawZip
from mlebench.errors import DataError

ARCHIVES = (".zip", ".7z", ".tar", ".tar.gz", ".tgz")


@contextmanager
def unpacked(archive: Raw) -> Iterator[Raw]:
    """The content of an archive of the raw data; whatever had to be unpacked goes again."""
    with tempfile.TemporaryDirectory(dir=archive.scratch, prefix="unpacked-") as folder:
        local = _as_local_file(archive, Path(folder))
        if archive.name.endswith(".zip"):
            content = RawZip.opened(local, archive.scratch)
            try:
                yield content
            finally:
                content.index.archive.close()
        else:
            goal = Path(folder) / "content"
            goal.mkdir()
            _unpacker(archive.name)(local, goal)
            yield RawFolder(goal, scratch=archive.scratch)


def _as_local_file(archive: Raw, folder: Path) -> Path:
    if isinstance(archive, RawFolder):
        if not archive.is_file():
            raise archive.missing()
        return archive.local
    copy = folder / archive.name
    with archive.open() as source, copy.open("wb") as target:
        shutil.copyfileobj(source, target, 1 << 20)
    return copy


def _unpacker(name: str) -> Callable[[Path, Path], None]:
    if name.endswith(".7z"):
        return _unpack_7z
    if name.endswith((".tar", ".tar.gz", ".tgz")):
        return _unpack_tar
    raise DataError(f"{name} is no kind of archive that can be read; expected zip, 7z or tar")


def _unpack_7z(archive: Path, goal: Path) -> None:
    import py7zr

    with py7zr.SevenZipFile(archive) as opened:
        opened.extractall(goal)


def _unpack_tar(archive: Path, goal: Path) -> None:
    with tarfile.open(archive) as opened:
        opened.extractall(goal, filter="data")


def extract_archive(archive: Path, goal: Path, *, recursive: bool = False) -> None:
    """Unpack an archive of any known kind into a folder."""
    goal.mkdir(parents=True, exist_ok=True)
    with unpacked(RawFolder(archive.parent) / archive.name) as content:
        copy_folder(content, goal)
    if recursive:
        for file in sorted(goal.rglob("*")):
            if file.name.endswith(ARCHIVES):
                extract_archive(file, file.with_suffix(""), recursive=True)
