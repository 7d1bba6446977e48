"""Files that an agent wrote: opened without following links, and sealed while they are read.

What is hashed, judged and scored are the same bytes, whoever would like to write meanwhile. Where
the kernel promises to hold writers back nothing is copied; else the file is copied once.
"""

from __future__ import annotations

import fcntl
import mmap
import os
import signal
import stat
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from mlebench.errors import InvalidSubmissionError

PART = 64 << 20
SOON_READ = 1 << 30
"""Bytes that are read long before the kernel loses patience with us, after 45 seconds."""

F_SETSIG = 10
"""Python has no name for it."""


@dataclass(frozen=True)
class Sealed:
    """The bytes of a file, and a path to them that nobody else knows, where the system has such."""

    data: memoryview
    path: Path | None = None


def read_regular_file(path: Path, max_bytes: int) -> bytes:
    """The bytes of a regular file; links, folders, pipes and too large files get a reason."""
    with (
        _regular_file(path, max_bytes) as descriptor,
        os.fdopen(descriptor, "rb", closefd=False) as stream,
    ):
        data = stream.read(max_bytes + 1)
    _require_size(path, len(data), max_bytes)
    return data


@contextmanager
def sealed(path: Path, max_bytes: int) -> Iterator[Sealed]:
    """The same without a copy in Python's memory; the path lasts as long as the context."""
    if not hasattr(os, "memfd_create"):
        yield Sealed(memoryview(read_regular_file(path, max_bytes)))
        return
    with ExitStack() as stack:
        source = stack.enter_context(_regular_file(path, max_bytes))
        if os.fstat(source).st_size <= SOON_READ and _hold_writers_back(source):
            stack.callback(fcntl.fcntl, source, fcntl.F_SETLEASE, fcntl.F_UNLCK)
        else:
            copy = stack.enter_context(_memory_file())
            _copy(source, copy, path, max_bytes)
            source = copy
        size = os.fstat(source).st_size
        _require_size(path, size, max_bytes)
        # An empty file cannot be mapped.
        data = mmap.mmap(source, size, access=mmap.ACCESS_READ) if size else b""
        yield Sealed(memoryview(data), _path_of(source))


def _hold_writers_back(descriptor: int) -> bool:
    """A lease: granted if nobody has the file open for writing, and who tries to waits for us."""
    try:
        # Otherwise a signal that ends us tells of a writer.
        fcntl.fcntl(descriptor, F_SETSIG, signal.SIGURG)
        fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_RDLCK)
    except OSError:
        return False
    return True


def _copy(source: int, copy: int, path: Path, max_bytes: int) -> None:
    size = 0
    while part := os.sendfile(copy, source, size, PART):
        size += part
        _require_size(path, size, max_bytes)


@contextmanager
def in_memory(data: memoryview) -> Iterator[Path | None]:
    """A path to some bytes, where the system has such."""
    if not hasattr(os, "memfd_create"):
        yield None
        return
    with _memory_file() as copy:
        with os.fdopen(copy, "wb", closefd=False) as stream:
            stream.write(data)
        yield _path_of(copy)


@contextmanager
def _memory_file() -> Iterator[int]:
    descriptor = os.memfd_create("submission")
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _path_of(descriptor: int) -> Path:
    return Path(f"/proc/self/fd/{descriptor}")


@contextmanager
def _regular_file(path: Path, max_bytes: int) -> Iterator[int]:
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
        yield descriptor
    finally:
        os.close(descriptor)


def _kind(mode: int) -> str:
    kinds = {stat.S_IFDIR: "a folder", stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket"}
    return kinds.get(stat.S_IFMT(mode), "a device")


def _require_size(path: Path, size: int, limit: int) -> None:
    if size > limit:
        raise InvalidSubmissionError(
            f"{path.name} has {size:,} bytes, more than the {limit:,} that a submission may have"
        )
