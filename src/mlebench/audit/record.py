"""Observations of the checks, and how they become one record; none contains a label."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from mlebench.records.audit import Status

SEVERITY: tuple[Status, ...] = ("not applicable", "pass", "warn", "fail")
SHOWN = 5


@dataclass(frozen=True)
class Observation:
    """One observation of a check; a check may make several."""

    status: Status
    evidence: str
    """Ids, names and figures, never an answer."""

    figure: float | None = None
    threshold: float | None = None


def summarise(findings: Iterable[Observation]) -> tuple[Observation, tuple[str, ...]]:
    """The first of the worst findings, and the evidence of findings with that status."""
    found = list(findings) or [Observation("not applicable", "nothing to look at")]
    worst = max(found, key=lambda finding: SEVERITY.index(finding.status))
    evidence = [entry.evidence for entry in found if entry.status == worst.status]
    more = [f"and {len(evidence) - SHOWN} more"] if len(evidence) > SHOWN else []
    return worst, (*evidence[:SHOWN], *more)
