"""What a preparation has written so far: hashes taken while the bytes were at hand, rows of tables.

The functions that write files note it here, so that the manifest need not read everything again.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Ledger:
    """Notes by absolute path; a file that is changed later loses its time, and with it its note."""

    hashes: dict[str, tuple[int, str]] = field(default_factory=dict)
    """Size and SHA-256 of files that were written at one go."""

    contents: dict[str, str] = field(default_factory=dict)
    """Digest of what an archive holds, where its own bytes depend on a library."""

    rows: dict[str, int] = field(default_factory=dict)
    """Lines of tables."""


_current: ContextVar[Ledger | None] = ContextVar("ledger", default=None)


@contextmanager
def keeping_ledger() -> Iterator[Ledger]:
    """Collect the notes of everything that is written meanwhile."""
    ledger = Ledger()
    token = _current.set(ledger)
    try:
        yield ledger
    finally:
        _current.reset(token)


def note_hash(path: str, size: int, sha256: str) -> None:
    if ledger := _current.get():
        ledger.hashes[path] = (size, sha256)


def note_content(path: Path, digest: str) -> None:
    if ledger := _current.get():
        ledger.contents[str(path)] = digest


def note_rows(path: Path, count: int) -> None:
    if ledger := _current.get():
        ledger.rows[str(path)] = count
