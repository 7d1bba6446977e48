"""Archives inside the raw data: read in place if uncompressed, else through a scratch file."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from mlebench.archives.byte_range import ByteRange
from mlebench.archives.copying import copy_folder
from mlebench.archives.kinds import kind_of, wrong_kind
from mlebench.archives.limits import MAX_NESTING, UnpackingBudget
from mlebench.archives.names import judge_name
from mlebench.archives.packed import PackedIndex, StoredIndex
from mlebench.archives.raw import Opened, Raw, RawFolder, RawPacked
from mlebench.archives.seven_zip import seven_zip_index
from mlebench.archives.spooling import gunzip, spool
from mlebench.archives.tar_index import tar_index
from mlebench.archives.zip_index import ZipIndex
from mlebench.errors import DataError

ARCHIVES = (".zip", ".7z", ".tar.gz", ".tgz", ".tar")
EXPECTED = {".zip": "zip", ".7z": "7z", ".tar": "tar", ".gz": "gzip", ".tgz": "gzip"}


@contextmanager
def unpacked(archive: Raw) -> Iterator[Raw]:
    """The content of an archive of the raw data; temporary files are removed afterwards."""
    nesting = archive.archive.nesting + 1 if isinstance(archive, RawPacked) else 1
    if nesting > MAX_NESTING:
        raise DataError(f"{archive.path} is nested more than {MAX_NESTING} archives deep")
    with ExitStack() as stack:
        source = _source(archive, stack)
        if isinstance(archive, RawPacked):
            budget = archive.archive.budget
            source.place = f"{archive.index.source.place}/{archive.path}"
        else:
            budget = UnpackingBudget(source.size)
        index = _index(source, archive.scratch, budget, stack)
        yield RawPacked(Opened(index, budget, archive.scratch, nesting))


def _source(archive: Raw, stack: ExitStack) -> ByteRange:
    """The bytes of the archive: in place, or unpacked if another archive contains them deflated."""
    if not archive.is_file():
        raise archive.missing()
    if isinstance(archive, RawPacked):
        if place := archive.index.in_place(archive.path):
            place.name = archive.name
            return place
        with archive.open() as stream:
            source = spool(stream, archive.name, archive.scratch, archive.size())
    else:
        source = ByteRange.of_file(archive.open(), archive.name)
    stack.callback(source.close)
    return source


def _index(
    source: ByteRange, scratch: Path | None, budget: UnpackingBudget, stack: ExitStack
) -> PackedIndex:
    kind = kind_of(source)
    _judge_kind(source, kind)
    if kind == "zip":
        return ZipIndex(source, budget)
    if kind == "tar":
        return tar_index(source, budget)
    if kind == "7z":
        index = seven_zip_index(source, scratch, budget)
        stack.callback(index.close)
        return index
    inside = gunzip(source, scratch, budget)
    stack.callback(inside.close)
    if kind_of(inside) == "tar":
        return tar_index(inside, budget)
    judge_name(inside.name, source.name)
    return StoredIndex(inside, {inside.name: (0, inside.size)}, set())


def _judge_kind(source: ByteRange, kind: str | None) -> None:
    """Require the type that the name implies, except for tars: many are compressed silently."""
    suffix = Path(source.name).suffix.lower()
    if suffix not in EXPECTED:
        raise DataError(
            f"{source.name} is not an archive that can be read; expected zip, 7z, tar or gz"
        )
    is_tar = ".tar" in source.name or suffix == ".tgz"
    if not (kind == EXPECTED[suffix] or (is_tar and kind in ("tar", "gzip"))):
        raise wrong_kind(source, EXPECTED[suffix])


def extract_archive(archive: Path, goal: Path, *, recursive: bool = False) -> None:
    """Unpack an archive of any known kind into a folder: all of it, or nothing."""
    goal.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=goal.parent, prefix=".unpacking-") as name:
        aside = Path(name) / "content"
        _extract(RawFolder(archive.parent) / archive.name, aside, recursive=recursive)
        if goal.exists():
            _move_into(aside, goal)
        else:
            aside.rename(goal)


def _move_into(source: Path, goal: Path) -> None:
    """Move the content of a folder into another that exists already."""
    for path in sorted(source.iterdir()):
        target = goal / path.name
        if path.is_dir() and target.is_dir():
            _move_into(path, target)
        else:
            path.replace(target)


def _extract(archive: Raw, goal: Path, *, recursive: bool) -> None:
    with unpacked(archive) as content:
        copy_folder(content, goal)
        inner = [f for f in content.walk() if recursive and f.name.endswith(ARCHIVES)]
        for file in sorted(inner, key=lambda f: f.path):
            suffix = next(suffix for suffix in ARCHIVES if file.name.endswith(suffix))
            _extract(file, goal / file.path.removesuffix(suffix), recursive=True)
