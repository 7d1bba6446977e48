"""Prepared data is complete or absent: it is made in a staging folder and renamed into place.

<data>/<id>/
  .lock          held while a process prepares; the kernel releases it when the process dies
  .staging-…     a preparation in progress; after a crash the next call removes it
  .replaced…     the previous data, for the moment between two renames
"""

from __future__ import annotations

import ctypes
import errno
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from mlebench.errors import DataError, UsageError
from mlebench.preparing.options import OnProgress
from mlebench.records.folders import CompetitionFolder
from mlebench.system.files import sync_folder
from mlebench.version import REVISIONS

LOCK, STAGING, REPLACED = ".lock", ".staging-", ".replaced"
NO_LOCKS = (errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL)
FULL = (errno.ENOSPC, errno.EDQUOT)
REFUSED = (errno.EACCES, errno.EPERM, errno.EROFS)
AT_FDCWD, RENAME_EXCHANGE = -100, 2


@contextmanager
def locked(
    folder: CompetitionFolder, on_progress: OnProgress, *, wait: bool = True
) -> Iterator[None]:
    """Lock a competition's folder; if another process has locked it, say so and wait."""
    import fcntl

    _make_home(folder.path)
    path = folder.path / LOCK
    with path.open("a+") as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            stream.seek(0)
            holder = stream.read(20).strip() or "unknown"
            if not wait:
                raise UsageError(
                    f"another process ({holder}) is currently preparing {folder.id}"
                ) from None
            on_progress(f"waiting for another process ({holder}) that is preparing it")
            fcntl.flock(stream, fcntl.LOCK_EX)
        except OSError as error:
            if error.errno not in NO_LOCKS:
                raise
            raise UsageError(
                f"the file system of {folder.path} has no locks, so that two processes could"
                " prepare at once",
                hint="choose another disk with --data-dir",
            ) from None
        stream.truncate(0)
        stream.write(str(os.getpid()))
        stream.flush()
        yield


def _make_home(home: Path) -> None:
    """Create a competition's folder; `explained` handles missing permissions."""
    try:
        home.mkdir(parents=True, exist_ok=True)
    except (FileNotFoundError, FileExistsError, NotADirectoryError) as error:
        raise UsageError(
            f"the folder {home} cannot be created: {error.strerror}",
            hint="choose another data folder with --data-dir",
        ) from None


@contextmanager
def staging_folder(folder: CompetitionFolder) -> Iterator[Path]:
    """A folder next to the result, removed afterwards; use it only under the lock."""
    clear_leftovers(folder)
    staging = Path(tempfile.mkdtemp(dir=folder.path, prefix=STAGING))
    try:
        yield staging
    finally:
        remove(staging)


def leftovers(folder: CompetitionFolder) -> list[Path]:
    """Leftovers of killed preparations."""
    if not folder.path.is_dir():
        return []
    return sorted(
        path for path in folder.path.iterdir() if path.name.startswith((STAGING, REPLACED))
    )


def clear_leftovers(folder: CompetitionFolder) -> None:
    """Remove leftovers of killed preparations, and restore data that one was about to replace."""
    for revision in REVISIONS:
        place = replace(folder, revision=revision)
        replaced = _replaced(place)
        if replaced.is_dir() and not place.prepared.exists():
            replaced.rename(place.prepared)
    for path in leftovers(folder):
        remove(path)


def remove(path: Path) -> None:
    """Delete a file or folder; files that a network disk still keeps are left for the next call."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def publish(prepared: Path, folder: CompetitionFolder) -> None:
    """Rename prepared data into place, all or nothing, so that it survives a power cut."""
    ours = (prepared / "manifest.json").read_bytes()
    sync(prepared)
    try:
        if not folder.prepared.exists():
            prepared.rename(folder.prepared)
        elif not _exchange(prepared, folder.prepared):
            folder.prepared.rename(_replaced(folder))
            prepared.rename(folder.prepared)
    except FileNotFoundError:
        # A network disk may report failure for a rename that succeeded: check the result.
        if not folder.manifest.is_file() or folder.manifest.read_bytes() != ours:
            raise
    sync_folder(folder.path)
    remove(_replaced(folder))


def _replaced(folder: CompetitionFolder) -> Path:
    return folder.path / f"{REPLACED}{folder.prepared.name.removeprefix('prepared')}"


def _exchange(one: Path, other: Path) -> bool:
    """Exchange two folders atomically, if the file system supports it."""
    try:
        rename = ctypes.CDLL(None, use_errno=True).renameat2
    except (AttributeError, OSError):
        return False
    done = rename(AT_FDCWD, os.fsencode(one), AT_FDCWD, os.fsencode(other), RENAME_EXCHANGE)
    return bool(done == 0)


def sync(folder: Path) -> None:
    """Sync everything below a folder to disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        sync_all = getattr(ctypes.CDLL(None, use_errno=True), "syncfs", None)
        if sync_all is None:
            os.sync()
        elif sync_all(handle):
            # Data whose sync failed once is lost, even if a second call succeeds.
            number = ctypes.get_errno()
            raise OSError(number, os.strerror(number), str(folder))
    finally:
        os.close(handle)


@contextmanager
def explained(folder: CompetitionFolder) -> Iterator[None]:
    """Turn a full disk or a missing permission into one sentence; previous data is unchanged."""
    try:
        yield
    except OSError as error:
        where = error.filename or folder.path
        if error.errno in FULL:
            free = shutil.disk_usage(folder.root).free
            raise DataError(
                f"the disk is full: {folder.path} has {free / 1e6:,.1f} MB free, not enough to"
                f" prepare {folder.id}",
                hint="free some space (mlebench clean), or choose another disk with --data-dir",
            ) from None
        if error.errno in REFUSED:
            raise UsageError(f"{where} cannot be written: {error.strerror}") from None
        if error.errno == errno.EIO:
            raise DataError(f"{where} cannot be read or written: {error.strerror}") from None
        raise
