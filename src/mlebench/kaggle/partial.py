"""PartialFile: an incomplete download, which survives interruptions and full disks."""

from __future__ import annotations

import errno
import fcntl
import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from io import FileIO
from pathlib import Path
from typing import IO, Self, cast

from mlebench.errors import DataError, UsageError
from mlebench.system.files import sync_folder

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


@dataclass(frozen=True)
class RemoteFile:
    """Which file on the server the bytes belong to."""

    total: int
    """Its size in bytes."""

    tag: str | None = None
    """The server's `ETag`."""

    md5: str | None = None
    """The server's own checksum, if it states one."""


class PartialFile:
    """The bytes received so far; only `finish` creates a file under the real name.

    <name>.part        the bytes
    <name>.part.json   the identity of the file they belong to

    One process at a time may use it; the lock is released when the process ends.
    """

    def __init__(self, target: Path) -> None:
        self.target = target
        self.path = target.with_name(f"{target.name}.part")
        self.note = target.with_name(f"{target.name}.part.json")
        self.identity: RemoteFile | None = None
        self.size = 0
        self._md5 = hashlib.md5(usedforsecurity=False)

    def __enter__(self) -> Self:
        with self._explained():
            self.target.parent.mkdir(parents=True, exist_ok=True)
            # Unbuffered: the bytes that `size` counts are in the file even after a crash.
            self._stream: IO[bytes] = self.path.open("ab+", buffering=0)
        try:
            _lock(self._stream, self.target)
            self._take_up()
        except BaseException:
            self._stream.close()
            raise
        return self

    def __exit__(self, *exception: object) -> None:
        self._stream.close()

    @property
    def is_complete(self) -> bool:
        return self.identity is not None and self.size == self.identity.total

    @property
    def md5(self) -> str:
        """Of the bytes so far."""
        return self._md5.hexdigest()

    def belongs_to(self, identity: RemoteFile) -> bool:
        """Whether more bytes of that file may be added."""
        known = self.identity
        return known is not None and (known.total, known.tag) == (identity.total, identity.tag)

    def start(self, identity: RemoteFile) -> None:
        """Start again, with the first byte of this file."""
        self.forget()
        with self._explained():
            self.note.write_text(json.dumps(asdict(identity)), "utf-8")
        self.identity = identity

    def forget(self) -> None:
        """Discard the bytes: they belong to a file that is no longer served."""
        self._stream.truncate(0)
        self.size, self._md5, self.identity = 0, hashlib.md5(usedforsecurity=False), None

    def write(self, data: bytes) -> None:
        """Add bytes; if the disk is full, the bytes received so far are kept."""
        left = memoryview(data)
        with self._explained():
            while left:
                written = self._stream.write(left)
                self._md5.update(left[:written])
                self.size += written
                left = left[written:]

    def finish(self) -> Path:
        """Rename the complete file to its real name."""
        with self._explained():
            os.fsync(self._stream.fileno())
            self.path.rename(self.target)
            sync_folder(self.target.parent)
        self.note.unlink(missing_ok=True)
        return self.target

    def discard(self) -> None:
        """Remove all files of the download."""
        self.path.unlink(missing_ok=True)
        self.note.unlink(missing_ok=True)

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            if error.errno not in FULL:
                raise DataError(f"{self.path} cannot be written: {error.strerror}") from None
            raise DataError(
                f"the disk is full: {self.path} has {self.size:,} bytes and cannot grow",
                hint="free some space and run the same command again; it continues there",
            ) from None

    def _take_up(self) -> None:
        """Continue with the bytes of an earlier process if they belong to a known file."""
        try:
            identity = RemoteFile(**json.loads(self.note.read_text("utf-8")))
        except (OSError, ValueError, TypeError):
            return
        size = os.fstat(self._stream.fileno()).st_size
        if size > identity.total:
            return
        self._stream.seek(0)
        hashlib.file_digest(cast(FileIO, self._stream), lambda: self._md5)
        self.size, self.identity = size, identity


def _lock(stream: IO[bytes], target: Path) -> None:
    try:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise UsageError(f"another process is currently downloading {target.name}") from None
