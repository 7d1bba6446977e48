"""Creates files whose metadata reveals nothing about their content.

Inodes are created in the order of the public names, and all files have the same time and mode, so
that the prepared folder does not reveal the order and dates of the archive. Threads load and hash
files in advance.
"""

from __future__ import annotations

import hashlib
import io
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from mlebench.archives.digests import HashingStream, raw_sha256
from mlebench.archives.limits import require_space
from mlebench.archives.names import judge_name
from mlebench.archives.raw import Raw
from mlebench.archives.write_log import Clean, WriteLog, log_of
from mlebench.system.files import write_all
from mlebench.system.threads import on_blocks

CONSTANT_TIME = 1577836800
"""2020-01-01, for all files: times of an archive sorted by class would reveal the labels."""

CONSTANT_NS = (CONSTANT_TIME * 10**9, CONSTANT_TIME * 10**9)
FILE_MODE, FOLDER_MODE = 0o644, 0o755
FLAGS = os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_NOFOLLOW | os.O_CLOEXEC

PIECE = 1 << 20
WHOLE_BYTES = 4 << 20
"""Files up to this size are read at once."""

LARGEST_CLEANED = 1 << 30
"""Files up to this size are changed if the revision says so; pictures are much smaller."""

BATCH_FILES = 256
SMALL_BYTES = 32 << 10
"""If files are smaller than this on average, threads cost more time than they save."""

THREADS = min(4, os.cpu_count() or 1)

Loaded = tuple[str, bytes, str]
"""Name, content, hash."""


def copy_files(files: Mapping[str, Raw], folder: Path) -> None:
    """Write each source under its public name below the folder, in the order of the names."""
    folder.mkdir(parents=True, exist_ok=True)
    names = sorted(files)
    sizes = [files[name].size() for name in names]
    require_space(folder, sum(sizes))
    root = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    log = log_of(folder) or WriteLog()
    try:
        known: set[str] = set()

        def load(batch: list[str]) -> list[Loaded]:
            return _load(batch, files, lambda name, data: log.cleaned(f"{folder}/{name}", data))

        for batch in _loaded(names, sizes, load):
            for name, data, digest in batch:
                _make_parent(name, root, known)
                path = f"{folder}/{name}"
                if not digest:
                    log.hashes[path] = (
                        _write_cleaned(name, root, files[name], log.find_cleaner(path))
                        or _link_large(path, files[name], log)
                        or _write_pieces(name, root, files[name])
                    )
                    continue
                if not log.link(path, digest):
                    with _new_file(name, root) as target:
                        write_all(target, data)
                log.hashes[path] = len(data), digest
    finally:
        os.close(root)


@contextmanager
def open_output(path: Path) -> Iterator[IO[bytes]]:
    """A new file to be written as a stream; it is hashed while it is written."""
    path.parent.mkdir(parents=True, exist_ok=True)
    log = log_of(path)
    if log:
        log.unlink(str(path))
    with path.open("wb", buffering=0) as file:
        hashing = HashingStream(file)
        with io.BufferedWriter(hashing, PIECE) as stream:
            yield stream
    if log:
        os.utime(path, ns=CONSTANT_NS)
        log.hashes[str(path)] = hashing.size, hashing.digest.hexdigest()


def _loaded(
    names: Sequence[str], sizes: Sequence[int], load: Callable[[list[str]], list[Loaded]]
) -> Iterator[list[Loaded]]:
    """Batches of loaded files in order, loaded some batches in advance."""
    batches = list(_batches(names, sizes))
    is_small = len(batches) < 3 or sum(sizes) < SMALL_BYTES * len(names)
    return on_blocks(load, batches, 1 if is_small else THREADS)


def _batches(names: Sequence[str], sizes: Sequence[int]) -> Iterator[list[str]]:
    """Consecutive files that are loaded together; a large file is a batch of its own."""
    batch: list[str] = []
    total = 0
    for name, size in zip(names, sizes, strict=True):
        # A batch is no larger than the largest file that is read at once.
        if batch and (total + size > WHOLE_BYTES or len(batch) >= BATCH_FILES):
            yield batch
            batch, total = [], 0
        batch.append(name)
        total += size
    if batch:
        yield batch


def _load(
    batch: list[str], files: Mapping[str, Raw], clean: Callable[[str, bytes], bytes]
) -> list[Loaded]:
    if len(batch) == 1 and files[batch[0]].size() > WHOLE_BYTES:
        return [(batch[0], b"", "")]
    loaded = []
    for name in batch:
        data = clean(name, files[name].read_bytes())
        loaded.append((name, data, hashlib.sha256(data).hexdigest()))
    return loaded


def _make_parent(name: str, root: int, known: set[str]) -> None:
    judge_name(name, "the prepared data")
    parent = name.rpartition("/")[0]
    if not parent or parent in known:
        return
    _make_parent(parent, root, known)
    with suppress(FileExistsError):
        os.mkdir(parent, FOLDER_MODE, dir_fd=root)
    known.add(parent)


def _create(name: str, root: int) -> int:
    try:
        return os.open(name, FLAGS, FILE_MODE, dir_fd=root)
    except FileExistsError:
        # If a preparation writes a file twice, the later one counts.
        os.unlink(name, dir_fd=root)
        return os.open(name, FLAGS, FILE_MODE, dir_fd=root)


@contextmanager
def _new_file(name: str, root: int) -> Iterator[int]:
    target = _create(name, root)
    try:
        yield target
        os.utime(target, ns=CONSTANT_NS)
    finally:
        os.close(target)


def _write_cleaned(
    name: str, root: int, source: Raw, clean: Clean | None
) -> tuple[int, str] | None:
    """Write a large file that is changed; returns size and hash, or None for other files."""
    if clean is None or source.size() > LARGEST_CLEANED:
        return None
    data = clean(source.read_bytes())
    with _new_file(name, root) as target:
        write_all(target, data)
    return len(data), hashlib.sha256(data).hexdigest()


def _link_large(path: str, source: Raw, log: WriteLog) -> tuple[int, str] | None:
    """Size and hash of a file that was linked; it is read only if the offered one is as large."""
    _, offered = log.offered.get(path, ("", ""))
    try:
        size = os.stat(offered).st_size  # noqa: PTH116 (a string)
    except OSError:
        return None
    if size != source.size():
        return None
    digest = raw_sha256(source)
    return (size, digest) if log.link(path, digest) else None


def _write_pieces(name: str, root: int, source: Raw) -> tuple[int, str]:
    """Write a large file piece by piece; returns size and hash."""
    size, digest = 0, hashlib.sha256()
    with _new_file(name, root) as target, source.open() as stream:
        while piece := stream.read(PIECE):
            digest.update(piece)
            write_all(target, piece)
            size += len(piece)
    return size, digest.hexdigest()
