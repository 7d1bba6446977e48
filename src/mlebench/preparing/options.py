"""What a preparation may be told, and how it tells what it is doing."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

Description = Literal["own", "obfuscated", "official"]


@dataclass(frozen=True)
class Rehearsal:
    """A synthetic archive made from a seed."""

    seed: int = 0
    scale: int = 1


@dataclass(frozen=True, kw_only=True)
class PrepareOptions:
    """How to prepare a competition."""

    rehearsal: Rehearsal | None = None
    """Made-up data instead of the real."""

    archive: Path | None = None
    """The user's own archive or raw folder; it is never removed."""

    description: Description = "own"
    unpack: bool = False
    """Replace archives inside the public data by their content."""

    keep_raw: bool = True
    verify: bool = True
    """Compare with the official checksums."""

    force: bool = False
    """Prepare again what is prepared already."""


class Report(Protocol):
    """Is told the phase, and within it how much is done of how much."""

    def __call__(self, phase: str, done: int = 0, total: int = 0) -> None: ...


def silent(phase: str, done: int = 0, total: int = 0) -> None:
    """A report to nobody."""
