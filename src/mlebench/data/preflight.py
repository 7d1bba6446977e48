"""What must be there before anything starts: account, rules, disk, packages, sandboxes, GPU."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from mlebench.registry import Competition

State = Literal["ok", "warn", "fail"]


@dataclass(frozen=True)
class Check:
    """One thing that was looked at."""

    subject: str
    """`credentials`, `rules`, `disk`, `package`, `sandbox`, `gpu`."""

    state: State
    reason: str
    remedy: str | None = None
    competition_id: str | None = None
    """The competition that the check speaks of; nothing where it speaks of the machine."""


def preflight(
    competitions: Sequence[Competition],
    *,
    keep_raw: bool = False,
    with_machine: bool = True,
) -> list[Check]:
    """Look at everything that preparing and running the competitions needs; change nothing.

    Args:
        keep_raw: whether archives stay after preparation, which needs more disk.
        with_machine: look at sandboxes and GPUs too.
    """
    return []


def unobtainable(checks: Iterable[Check]) -> dict[str, str]:
    """The competitions that cannot be had now, each with the first reason."""
    found: dict[str, str] = {}
    for check in checks:
        if check.competition_id and check.state == "fail":
            found.setdefault(check.competition_id, check.reason)
    return found
