"""How the runs of an agent deviate from a published protocol, for reports, pages and bundles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mlebench.protocols import AsRun, find_deviations, get_protocol, nearest_protocol
from mlebench.records.codec import to_json
from mlebench.records.group import Deviation
from mlebench.results.attempts import Attempt, plans_of


@dataclass(frozen=True)
class Compliance:
    """A protocol and the deviations of the runs from it."""

    protocol: str
    is_named: bool
    """Whether the group was started with this protocol; otherwise it is the nearest one."""

    deviations: tuple[Deviation, ...]

    def __str__(self) -> str:
        """`deviations from the protocol lite: hours: 2 instead of 24; …`."""
        kind = "the protocol" if self.is_named else "the nearest protocol,"
        return f"deviations from {kind} {self.protocol}: " + (
            "; ".join(map(str, self.deviations)) or "none"
        )

    def as_json(self) -> dict[str, Any]:
        return {
            "name": self.protocol,
            "is_named": self.is_named,
            "deviations": [to_json(d) | {"text": str(d)} for d in self.deviations],
        }


def find_compliance(own: Sequence[Attempt]) -> Compliance | None:
    """Compare the runs of one agent with the protocol that they name, else with the nearest one.

    None for grading reports, whose conditions are not recorded, and for competitions outside every
    protocol if no protocol was named.
    """
    plans = plans_of(own)
    if not plans:
        return None
    ids = {attempt.competition_id for attempt in own}
    named = next((plan.protocol for plan in plans if plan.protocol), "")
    protocol = get_protocol(named) if named else nearest_protocol(ids)
    if protocol is None:
        return None
    runs = [attempt.run for attempt in own if attempt.run and attempt.run.seconds is not None]
    machines = {run.provenance for run in runs if run.provenance.mlebench}
    found = {
        deviation
        for plan in plans
        for deviation in find_deviations(
            protocol,
            AsRun(
                seeds=Counter(attempt.competition_id for attempt in own),
                settings=plan.settings,
                machines=tuple(machines),
                enforced=plan.enforced,
                networks=frozenset(
                    str(r.sandbox["network"]) for r in runs if "network" in r.sandbox
                ),
            ),
        )
    }
    return Compliance(protocol.name, bool(named), tuple(sorted(found, key=lambda d: d.name)))
