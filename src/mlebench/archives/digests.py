"""SHA-256 of raw data and of what an archive contains."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from mlebench.archives.raw import Raw

PIECE = 1 << 20


def raw_sha256(source: Raw) -> str:
    digest = hashlib.sha256()
    with source.open() as stream:
        while piece := stream.read(PIECE):
            digest.update(piece)
    return digest.hexdigest()


def members_digest(members: Iterable[tuple[str, str]]) -> str:
    """One digest for the names and hashes of an archive's members, whatever their order."""
    digest = hashlib.sha256()
    for name, member in sorted(members):
        digest.update(f"{name}\0{member}\n".encode())
    return digest.hexdigest()
