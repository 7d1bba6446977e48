"""Open files below the runs folder one path component at a time, never through a link.

An agent may leave links, pipes, sparse files, or files that change while they are read. Therefore
only regular files are opened, relative to an open folder, and they are read up to a limit.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from mlebench.errors import DataError

FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
MAX_NAME_BYTES = 255
MAX_DEPTH = 40
Root = Path | int
"""A folder: its path, or the descriptor of an open one."""


class Absent(Exception):
    """There is no such regular file; the text is one sentence for the user."""


@dataclass(frozen=True)
class Entry:
    """An entry of a folder."""

    path: str
    size: int
    kind: str
    """`file`, `folder`, `link` or `other`."""


def split_path(path: str) -> tuple[str, ...]:
    """The components of a relative path; raises `Absent` for one that could lead elsewhere."""
    names = tuple(path.split("/"))
    if len(names) > MAX_DEPTH or not all(map(is_name, names)):
        raise Absent("there is no such file in the run's folder")
    return names


def is_name(name: str) -> bool:
    """Whether it can be the name of an entry of a folder, and part of an address."""
    try:
        size = len(name.encode("utf-8"))
    except UnicodeEncodeError:
        return False
    is_part = name not in ("", ".", "..") and "/" not in name and "\0" not in name
    return is_part and size <= MAX_NAME_BYTES


@contextmanager
def opened_folder(root: Root, names: Sequence[str] = ()) -> Iterator[int]:
    """The descriptor of a folder below the root; only the root itself may be a link."""
    descriptor = -1
    try:
        if isinstance(root, int):
            descriptor = os.dup(root)
        else:
            descriptor = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        for name in names:
            if not is_name(name):
                raise Absent("there is no such folder")
            inner = os.open(name, FOLDER, dir_fd=descriptor)
            os.close(descriptor)
            descriptor = inner
    except (OSError, ValueError):
        if descriptor >= 0:
            os.close(descriptor)
        raise Absent("there is no such folder, or it is a link") from None
    try:
        yield descriptor
    finally:
        os.close(descriptor)


@contextmanager
def opened_file(root: Root, names: Sequence[str]) -> Iterator[int]:
    """The descriptor of a regular file below the root."""
    with opened_folder(root, names[:-1]) as folder:
        descriptor = open_in(folder, names[-1])
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def open_in(folder: int, name: str) -> int:
    """The descriptor of a regular file in an open folder, on the same file system."""
    try:
        descriptor = os.open(name, FILE, dir_fd=folder)
    except (OSError, ValueError):
        raise Absent("there is no such file, or it is a link or unreadable") from None
    found = os.fstat(descriptor)
    if not stat.S_ISREG(found.st_mode) or found.st_dev != os.fstat(folder).st_dev:
        os.close(descriptor)
        raise Absent("it is not a regular file of this folder")
    return descriptor


def read_bytes(root: Path, names: Sequence[str], limit: int) -> bytes:
    """The first `limit` bytes of a file."""
    with opened_file(root, names) as descriptor:
        return pread(descriptor, limit, 0)


def pread(descriptor: int, count: int, offset: int) -> bytes:
    """`count` bytes from `offset` on; fewer at the end of the file."""
    parts = []
    while count > 0 and (part := os.pread(descriptor, count, offset)):
        parts.append(part)
        count -= len(part)
        offset += len(part)
    return parts[0] if len(parts) == 1 else b"".join(parts)


def walk(root: Root, names: Sequence[str], tops: Sequence[str], limit: int) -> Iterator[Entry]:
    """The entries below some folders of a folder, sorted by name, at most `limit`."""
    for top in tops:
        with suppress(Absent), opened_folder(root, [*names, top]) as folder:
            for entry in _walk(folder, top, 0, limit):
                limit -= 1
                yield entry
        if limit <= 0:
            return


def _walk(folder: int, path: str, depth: int, limit: int) -> Iterator[Entry]:
    for name, found in _listed(folder, limit):
        if limit <= 0:
            return
        inner = f"{path}/{name}"
        yield Entry(inner, found.st_size, _kind(found.st_mode))
        limit -= 1
        if stat.S_ISDIR(found.st_mode) and depth < MAX_DEPTH - 2:
            with suppress(Absent), opened_folder(folder, [name]) as below:
                for entry in _walk(below, inner, depth + 1, limit):
                    limit -= 1
                    yield entry


def _listed(folder: int, limit: int) -> list[tuple[str, os.stat_result]]:
    """About `limit` entries whose names are valid UTF-8; a folder may have a million."""
    found: list[tuple[str, os.stat_result]] = []
    with os.scandir(folder) as entries:
        for entry in entries:
            if len(found) > limit:
                break
            with suppress(OSError):
                if is_name(entry.name):
                    found.append((entry.name, entry.stat(follow_symlinks=False)))
    return sorted(found, key=lambda pair: pair[0])


def _kind(mode: int) -> str:
    if stat.S_ISREG(mode):
        return "file"
    if stat.S_ISDIR(mode):
        return "folder"
    return "link" if stat.S_ISLNK(mode) else "other"


def signature(found: os.stat_result) -> list[int]:
    """Values that change when a file is written or replaced."""
    return [found.st_mtime_ns, found.st_size, found.st_ino]


def read_record(root: Path, names: Sequence[str], limit: int) -> bytes:
    """The bytes of a record; raises DataError if there are more than `limit`."""
    data = read_bytes(root, names, limit + 1)
    if len(data) > limit:
        raise DataError(f"{names[-1]} has more than {limit:,} bytes")
    return data
