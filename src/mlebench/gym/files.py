"""Files of an agent, opened from outside its sandbox without following a link.

Folders are entered one by one relative to a descriptor. Nothing that an agent wrote is parsed: it
is passed on as bytes, or as a sealed copy that no process can change any more.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import os
import stat
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

from mlebench.errors import UsageError

MAX_PARTS, MAX_PATH = 32, 1024
SEALS = fcntl.F_SEAL_WRITE | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_SEAL
FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
BLOCK = 1 << 20
SUBMISSION = "/home/submission/submission.csv"
LIBC = ctypes.CDLL(None)


class PathRefused(UsageError):
    """A path that an action named cannot be used; the message is for the policy."""


@contextmanager
def acting_as(uid: int | None) -> Iterator[None]:
    """Open and create files with the rights of a user, in this thread only; None changes nothing.

    The file systems of a sandbox do not know root, which could not create files there.
    """
    if uid is None:
        yield
        return
    LIBC.setfsgid(uid)
    LIBC.setfsuid(uid)
    try:
        yield
    finally:
        LIBC.setfsuid(os.geteuid())
        LIBC.setfsgid(os.getegid())


def split_path(path: str) -> list[str]:
    """The names below /home; a relative path starts in /home/agent."""
    if len(path) > MAX_PATH:
        raise PathRefused("the path is too long")
    names = [name for name in path.split("/") if name not in ("", ".")]
    if path.startswith("/"):
        if names[:1] != ["home"]:
            raise PathRefused(f"{path}: only files below /home can be read and written")
        names = names[1:]
    else:
        names = ["agent", *names]
    if ".." in names or not 2 <= len(names) <= MAX_PARTS:
        raise PathRefused(f"{path}: not a path of a file below /home")
    return names


@contextmanager
def open_file(
    home: int, names: list[str], flags: int = os.O_RDONLY, *, owner: int | None = None
) -> Iterator[int]:
    """A descriptor of a regular file below a folder; writing creates the folders between them.

    Args:
        owner: the uid of created files and folders, if it is not that of this process.
    """
    shown = "/home/" + "/".join(names)
    is_writing = bool(flags & os.O_CREAT)
    folder = os.dup(home)
    try:
        for name in names[:-1]:
            inner = _enter(folder, name, is_writing, owner)
            os.close(folder)
            folder = inner
        file = os.open(
            names[-1],
            flags | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY,
            0o644,
            dir_fd=folder,
        )
    except OSError as error:
        raise PathRefused(f"{shown}: {_reason(error)}") from None
    finally:
        os.close(folder)
    try:
        if not stat.S_ISREG(os.fstat(file).st_mode):
            raise PathRefused(f"{shown}: not a regular file")
        if is_writing and owner is not None:
            os.fchown(file, owner, owner)
        yield file
    except OSError as error:
        raise PathRefused(f"{shown}: {_reason(error)}") from None
    finally:
        os.close(file)


def _enter(folder: int, name: str, is_writing: bool, owner: int | None) -> int:
    """Open a folder below another one; writing creates it."""
    try:
        return os.open(name, FOLDER, dir_fd=folder)
    except FileNotFoundError:
        if not is_writing:
            raise
    os.mkdir(name, 0o755, dir_fd=folder)
    made = os.open(name, FOLDER, dir_fd=folder)
    if owner is not None:
        os.fchown(made, owner, owner)
    return made


def _reason(error: OSError) -> str:
    if error.errno in (errno.ELOOP, errno.EMLINK):
        return "a symbolic link, which is not followed"
    if error.errno == errno.ENOTDIR:
        return "not below a folder, or below a symbolic link"
    return (error.strerror or "cannot be used").lower()


def seal_copy(file: int, max_bytes: int) -> int:
    """A sealed copy of a file in memory; the caller closes its descriptor."""
    size = os.fstat(file).st_size
    if size > max_bytes:
        raise PathRefused(f"the submission has {size:,} bytes, at most {max_bytes:,} are accepted")
    copy = os.memfd_create("submission", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    try:
        offset = 0
        while offset < size and (
            sent := os.sendfile(copy, file, offset, min(BLOCK, size - offset))
        ):
            offset += sent
        os.lseek(copy, 0, os.SEEK_SET)
        fcntl.fcntl(copy, fcntl.F_ADD_SEALS, SEALS)
    except BaseException:
        os.close(copy)
        raise
    return copy


class FilesBelowHome(ABC):
    """Reads, writes and seals files; a workspace defines how a path is opened."""

    @abstractmethod
    def _open(self, path: str, flags: int = os.O_RDONLY) -> AbstractContextManager[int]: ...

    def read(self, path: str, start: int, count: int) -> tuple[bytes, int]:
        """See `Workspace.read`."""
        with self._open(path) as file, open(file, "rb", closefd=False) as stream:
            stream.seek(start)
            return stream.read(count), os.fstat(file).st_size

    def write(self, path: str, data: bytes) -> None:
        """See `Workspace.write`."""
        if split_path(path)[0] == "data":
            raise PathRefused("/home/data is read-only")
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        with self._open(path, flags) as file, open(file, "wb", closefd=False) as stream:
            stream.write(data)

    def seal(self, path: str, max_bytes: int) -> int:
        """See `Workspace.seal`."""
        with self._open(path) as file:
            return seal_copy(file, max_bytes)
