"""Files and folders that appear complete or not at all, hashes of files, and whole writes."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


def sha256(file: Path) -> str:
    """The SHA-256 of a file's content."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def md5_of(file: Path) -> str:
    """The MD5 of a file's content; only to compare with published checksums."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, lambda: hashlib.md5(usedforsecurity=False)).hexdigest()


def write_all(file: int, data: bytes | memoryview) -> None:
    """Write all bytes to a descriptor, which may accept fewer at a time."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(file, rest) :]


def sync_folder(folder: Path) -> None:
    """Make a rename in this folder survive a power cut."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def atomic_file(
    path: Path, *, mode: int = 0o644, is_durable: bool = True, syncs_folder: bool = True
) -> Iterator[BinaryIO]:
    """A stream whose content replaces a file in one step when the block ends without an error.

    After a crash the file has the old or the new content, complete.

    Args:
        is_durable: sync file and folder, so that the new content survives a power cut. Not needed
            for caches and copies.
        syncs_folder: false where a later write in the folder does so; until then a power cut may
            bring the old content back.
    """
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "w+b") as stream:
            os.fchmod(descriptor, mode)
            yield stream
            stream.flush()
            if is_durable:
                os.fsync(descriptor)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    if is_durable and syncs_folder:
        sync_folder(path.parent)


def write_atomically(
    path: Path,
    content: bytes | str,
    *,
    mode: int = 0o644,
    is_durable: bool = True,
    syncs_folder: bool = True,
) -> None:
    """Replace a file in one step; see `atomic_file`."""
    with atomic_file(path, mode=mode, is_durable=is_durable, syncs_folder=syncs_folder) as stream:
        stream.write(content.encode() if isinstance(content, str) else content)


@contextmanager
def atomic_folder(path: Path) -> Iterator[Path]:
    """An empty folder that becomes `path` in one step when the block ends without an error.

    If `path` is a folder by then, because another process was faster, that one is kept.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = Path(tempfile.mkdtemp(dir=path.parent, prefix=f".{path.name}."))
    try:
        temporary.chmod(0o755)
        yield temporary
        try:
            temporary.rename(path)
        except OSError:
            if not path.is_dir():
                raise
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
