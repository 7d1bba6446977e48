"""SHA-256 of raw data, of what an archive contains, and of what is written."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterable
from functools import partial
from typing import IO, TYPE_CHECKING, cast

from mlebench.archives.raw import Raw

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


def raw_sha256(source: Raw, *, salt: bytes = b"") -> str:
    """Of the salt and the content."""
    salted = partial(hashlib.sha256, salt)
    with source.open() as stream:
        return hashlib.file_digest(cast(io.BufferedReader, stream), salted).hexdigest()


def members_digest(members: Iterable[tuple[str, str]]) -> str:
    """One digest for the names and hashes of an archive's members, whatever their order."""
    digest = hashlib.sha256()
    for name, member in sorted(members):
        digest.update(f"{name}\0{member}\n".encode())
    return digest.hexdigest()


class HashingStream(io.RawIOBase):
    """Forwards what is written and computes its size and SHA-256."""

    def __init__(self, target: IO[bytes]) -> None:
        self._target = target
        self.digest = hashlib.sha256()
        self.size = 0

    def writable(self) -> bool:
        return True

    def write(self, data: ReadableBuffer) -> int:
        count = self._target.write(data)
        # An unbuffered file may write fewer bytes than requested.
        with memoryview(data) as view:
            self.digest.update(view[:count])
        self.size += count
        return count
