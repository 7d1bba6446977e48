"""Check: one condition that is checked before anything starts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

State = Literal["ok", "warn", "fail"]


@dataclass(frozen=True)
class Check:
    """What was found, and what to do about it."""

    subject: str
    """`credentials`, `rules`, `disk`, `time`, `package`, `sandbox`, `gpu` or `attack`."""

    state: State
    reason: str
    remedy: str | None = None
    competition_id: str | None = None
    """The competition that was checked; None for a check of the machine."""
