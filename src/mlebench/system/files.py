"""Files that are written whole or not at all, and their hashes."""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path


def sha256(file: Path) -> str:
    """The SHA-256 of a file's content."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def md5_of(file: Path) -> str:
    """The MD5 of a file's content; only to compare with published checksums."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, lambda: hashlib.md5(usedforsecurity=False)).hexdigest()


def sync_folder(folder: Path) -> None:
    """Make a rename in this folder survive a power cut."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_atomically(path: Path, content: bytes | str, *, mode: int = 0o644) -> None:
    """Replace a file in one step: after a crash the old or the new content is there, whole.

    Writes to a temporary file beside it, syncs it, renames it and syncs the folder.
    """
    data = content.encode() if isinstance(content, str) else content
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            os.fchmod(descriptor, mode)
            stream.write(data)
            stream.flush()
            os.fsync(descriptor)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)
