"""Correct or absent: prepared data is made aside under a lock and comes into place with one rename.

<data>/<id>/
  .lock          held while somebody prepares; the kernel frees it when the holder dies
  .staging-…     a preparation on its way; after a crash the next call removes it
  .replaced      what was there before, for the moment between two renames
"""

from __future__ import annotations

import ctypes
import errno
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mlebench.errors import DataError, UsageError
from mlebench.preparing.options import OnProgress
from mlebench.records.folders import CompetitionFolder
from mlebench.system.files import sync_folder

LOCK, STAGING, REPLACED = ".lock", ".staging-", ".replaced"
NO_LOCKS = (errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL)
FULL = (errno.ENOSPC, errno.EDQUOT)
REFUSED = (errno.EACCES, errno.EPERM, errno.EROFS)
AT_FDCWD, RENAME_EXCHANGE = -100, 2


@contextmanager
def locked(
    folder: CompetitionFolder, on_progress: OnProgress, *, wait: bool = True
) -> Iterator[None]:
    """Hold a competition's folder; where another process holds it, say so and wait."""
    import fcntl

    _make_home(folder.home)
    path = folder.home / LOCK
    with path.open("a+") as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            stream.seek(0)
            holder = stream.read(20).strip() or "unknown"
            if not wait:
                raise UsageError(
                    f"another process ({holder}) is preparing {folder.id} just now"
                ) from None
            on_progress(f"waiting for another process ({holder}) that is preparing it")
            fcntl.flock(stream, fcntl.LOCK_EX)
        except OSError as error:
            if error.errno not in NO_LOCKS:
                raise
            raise UsageError(
                f"the file system of {folder.home} has no locks, so that two processes could"
                " prepare at once",
                hint="choose another disk with --data-dir",
            ) from None
        stream.truncate(0)
        stream.write(str(os.getpid()))
        stream.flush()
        yield


def _make_home(home: Path) -> None:
    """Make a competition's folder; a missing right is left to `explained`."""
    try:
        home.mkdir(parents=True, exist_ok=True)
    except (FileNotFoundError, FileExistsError, NotADirectoryError) as error:
        raise UsageError(
            f"the folder {home} cannot be made: {error.strerror}",
            hint="choose another data folder with --data-dir",
        ) from None


@contextmanager
def staging_folder(folder: CompetitionFolder) -> Iterator[Path]:
    """A folder beside the goal, gone afterwards whatever happens; only under the lock."""
    clear_leftovers(folder)
    staging = Path(tempfile.mkdtemp(dir=folder.home, prefix=STAGING))
    try:
        yield staging
    finally:
        remove(staging)


def leftovers(folder: CompetitionFolder) -> list[Path]:
    """What killed preparations have left."""
    if not folder.home.is_dir():
        return []
    return sorted(
        path for path in folder.home.iterdir() if path.name.startswith((STAGING, REPLACED))
    )


def clear_leftovers(folder: CompetitionFolder) -> None:
    """Remove what killed preparations have left, and put back what one was about to replace."""
    replaced = folder.home / REPLACED
    if replaced.is_dir() and not folder.prepared.exists():
        replaced.rename(folder.prepared)
    for path in leftovers(folder):
        remove(path)


def remove(path: Path) -> None:
    """Delete a file or a whole folder; what a network disk still holds stays for the next time."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def publish(prepared: Path, folder: CompetitionFolder) -> None:
    """Put prepared data into place, all of it or nothing, and let it survive a power cut."""
    ours = (prepared / "manifest.json").read_bytes()
    sync(prepared)
    try:
        if not folder.prepared.exists():
            prepared.rename(folder.prepared)
        elif not _exchange(prepared, folder.prepared):
            folder.prepared.rename(folder.home / REPLACED)
            prepared.rename(folder.prepared)
    except FileNotFoundError:
        # A network disk may report a rename as failed that it has done: the goal decides.
        if not folder.manifest.is_file() or folder.manifest.read_bytes() != ours:
            raise
    sync_folder(folder.home)
    remove(folder.home / REPLACED)


def _exchange(one: Path, other: Path) -> bool:
    """Let two folders change places at one stroke, where the file system can."""
    try:
        rename = ctypes.CDLL(None, use_errno=True).renameat2
    except (AttributeError, OSError):
        return False
    done = rename(AT_FDCWD, os.fsencode(one), AT_FDCWD, os.fsencode(other), RENAME_EXCHANGE)
    return bool(done == 0)


def sync(folder: Path) -> None:
    """Bring everything that was written below a folder to the disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        sync_all = getattr(ctypes.CDLL(None, use_errno=True), "syncfs", None)
        if sync_all is None:
            os.sync()
        elif sync_all(handle):
            # What failed once is lost, even when a second try succeeds.
            number = ctypes.get_errno()
            raise OSError(number, os.strerror(number), str(folder))
    finally:
        os.close(handle)


@contextmanager
def explained(folder: CompetitionFolder) -> Iterator[None]:
    """A full disk or a missing right becomes one sentence; what was there before is still there."""
    try:
        yield
    except OSError as error:
        where = error.filename or folder.home
        if error.errno in FULL:
            free = shutil.disk_usage(folder.root).free
            raise DataError(
                f"the disk is full: {folder.home} has {free / 1e6:,.1f} MB free, not enough to"
                f" prepare {folder.id}",
                hint="free some space (mlebench clean), or choose another disk with --data-dir",
            ) from None
        if error.errno in REFUSED:
            raise UsageError(f"{where} cannot be written: {error.strerror}") from None
        if error.errno == errno.EIO:
            raise DataError(f"{where} cannot be read or written: {error.strerror}") from None
        raise
