"""SHA-256 of raw data and of what an archive contains."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import partial
from io import BufferedReader
from typing import cast

from mlebench.archives.raw import Raw


def raw_sha256(source: Raw, *, salt: bytes = b"") -> str:
    """Of the salt and the content."""
    salted = partial(hashlib.sha256, salt)
    with source.open() as stream:
        return hashlib.file_digest(cast(BufferedReader, stream), salted).hexdigest()


def members_digest(members: Iterable[tuple[str, str]]) -> str:
    """One digest for the names and hashes of an archive's members, whatever their order."""
    digest = hashlib.sha256()
    for name, member in sorted(members):
        digest.update(f"{name}\0{member}\n".encode())
    return digest.hexdigest()
