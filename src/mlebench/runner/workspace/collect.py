"""Collect the agent's submission: one sealed copy, made by descriptor after the agent has ended.

The agent's folder is hostile: links, pipes, sparse files and files that change are refused with a
reason, and nothing but the sealed copy is ever graded or shown.
"""

from __future__ import annotations

import hashlib
import os
import stat
from pathlib import Path

from mlebench.records.folders import RunFolder
from mlebench.records.run import SealedSubmission
from mlebench.system.files import sync_folder
from mlebench.system.trees import open_folder

BLOCK = 1 << 20
NAME = "submission.csv"


def copy_submission(run: RunFolder, goal: Path, max_bytes: int) -> SealedSubmission:
    """A safe copy of the submission as it is now, or the reason why there is none."""
    try:
        folder = open_folder(os.fspath(run.submission))
    except OSError:
        return SealedSubmission(False, problem="the submission folder is gone or a symbolic link")
    try:
        return _seal_from(folder, goal, max_bytes)
    except OSError as error:
        # For example no space left on a disk that the agent filled.
        return SealedSubmission(True, problem=f"{NAME} cannot be copied: {error.strerror}")
    finally:
        os.close(folder)


def _seal_from(folder: int, goal: Path, max_bytes: int) -> SealedSubmission:
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        source = os.open(NAME, flags, dir_fd=folder)
    except FileNotFoundError:
        return SealedSubmission(False)
    except OSError as error:
        is_link = stat.S_ISLNK(os.lstat(NAME, dir_fd=folder).st_mode)
        kind = "a symbolic link" if is_link else f"unreadable ({error.strerror})"
        return SealedSubmission(True, problem=f"{NAME} is {kind}, expected a regular file")
    try:
        for _ in range(2):
            sealed = _copy(source, os.fstat(folder).st_dev, goal, max_bytes)
            if sealed.problem is None or "changed" not in sealed.problem:
                break
        return sealed
    finally:
        os.close(source)


def _copy(source: int, device: int, goal: Path, max_bytes: int) -> SealedSubmission:
    before = os.fstat(source)
    if not stat.S_ISREG(before.st_mode) or before.st_dev != device:
        return SealedSubmission(
            True, problem=f"{NAME} is not a regular file of the submission folder"
        )
    if before.st_size > max_bytes:
        return SealedSubmission(
            True, size=before.st_size, problem=_too_large(before.st_size, max_bytes)
        )
    part = goal.with_name(f".{goal.name}.part")
    part.unlink(missing_ok=True)
    digest, size = hashlib.sha256(), 0
    os.lseek(source, 0, os.SEEK_SET)
    target = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    with os.fdopen(target, "wb") as copy:
        while size <= max_bytes and (block := os.read(source, BLOCK)):
            digest.update(block)
            copy.write(block)
            size += len(block)
        copy.flush()
        os.fsync(copy.fileno())
    after = os.fstat(source)
    if size > max_bytes:
        part.unlink()
        return SealedSubmission(True, size=size, problem=_too_large(size, max_bytes))
    if (after.st_size, after.st_mtime_ns) != (before.st_size, before.st_mtime_ns):
        part.unlink()
        return SealedSubmission(True, problem=f"{NAME} changed while it was copied")
    part.rename(goal)
    sync_folder(goal.parent)
    return SealedSubmission(True, digest.hexdigest(), size)


def _too_large(size: int, limit: int) -> str:
    return f"{NAME} has {size:,} bytes, more than the {limit:,} that a submission may have"
