"""Files that an agent wrote: opened without following links, without blocking, within a limit.

They are read once, so that the same bytes are hashed, checked and scored, even if the file changes
meanwhile.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from mlebench.errors import InvalidSubmissionError


def is_submission(path: Path) -> bool:
    """Whether there is a `.csv` file; links count, although reading refuses them."""
    return path.suffix.lower() == ".csv" and (path.is_symlink() or path.is_file())


def read_regular_file(path: Path, max_bytes: int) -> bytes:
    """The bytes of a regular file.

    Raises InvalidSubmissionError for links, folders, pipes and files that are too large.
    """
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        descriptor = os.open(path, flags)
    except FileNotFoundError:
        raise InvalidSubmissionError(f"{path.name} does not exist") from None
    except OSError as error:
        kind = "a symbolic link" if path.is_symlink() else f"unreadable ({error.strerror})"
        raise InvalidSubmissionError(f"{path.name} is {kind}, expected a regular file") from None
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise InvalidSubmissionError(
                f"{path.name} is {_kind(status.st_mode)}, expected a regular file"
            )
        _require_size(path, status.st_size, max_bytes)
        with os.fdopen(descriptor, "rb", closefd=False) as stream:
            data = stream.read(max_bytes + 1)
    finally:
        os.close(descriptor)
    _require_size(path, len(data), max_bytes)
    return data


def _kind(mode: int) -> str:
    kinds = {stat.S_IFDIR: "a folder", stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket"}
    return kinds.get(stat.S_IFMT(mode), "a device")


def _require_size(path: Path, size: int, limit: int) -> None:
    if size > limit:
        raise InvalidSubmissionError(
            f"{path.name} has {size:,} bytes, more than the {limit:,} that a submission may have"
        )
