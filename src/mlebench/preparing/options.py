"""The options of a preparation, and the type of its progress callback."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

Description = Literal["own", "obfuscated", "official"]


@dataclass(frozen=True)
class Rehearsal:
    """Requests synthetic raw data, generated from a seed."""

    seed: int = 0
    scale: int = 1


@dataclass(frozen=True, kw_only=True)
class PrepareOptions:
    """How to prepare a competition."""

    rehearsal: Rehearsal | None = None
    """Use synthetic instead of real raw data."""

    archive: Path | None = None
    """The user's own archive or raw folder; it is never removed."""

    description: Description = "own"
    unpack: bool = False
    """Replace archives inside the public data with their content."""

    keep_raw: bool = True
    verify: bool = True
    """Compare with the official checksums."""

    force: bool = False
    """Prepare again even if already prepared."""


class OnProgress(Protocol):
    """Receives the current phase and how much of it is done; must not change anything."""

    def __call__(self, phase: str, done: int = 0, total: int = 0) -> None: ...


def silent(phase: str, done: int = 0, total: int = 0) -> None:
    """A progress callback that does nothing."""
