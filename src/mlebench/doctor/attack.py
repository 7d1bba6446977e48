"""`mlebench doctor --attack`: hostile agents against the sandboxes of this machine."""

from __future__ import annotations

from mlebench.doctor.check import Check
from mlebench.sandbox.attacks import run_attacks
from mlebench.sandbox.registry import best_sandbox, get_sandbox


def attack_checks(sandbox: str | None = None) -> list[Check]:
    """One check for each hostile agent; takes about a minute.

    Args:
        sandbox: by default the best one that works.
    """
    target = get_sandbox(sandbox) if sandbox else best_sandbox()
    return [
        Check(
            "attack",
            "ok" if found.is_held else "fail",
            f"{target.name}: {found.attack}: {found.reason}",
            None if found.is_held else "do not run agents that you do not trust here",
        )
        for found in run_attacks(target)
    ]
