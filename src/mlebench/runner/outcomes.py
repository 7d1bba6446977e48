"""How runs ended, in words; and whether the first of a group all fail in the same way."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from mlebench.records.folders import GroupFolder
from mlebench.records.run import RunRecord
from mlebench.runner.details import last_lines

ALIKE = 3
"""A group stops if this many of its first runs fail in the same way."""

NUMBERS = re.compile(r"\d+")
MEDALS = ("gold", "silver", "bronze")


def outcome_of(record: RunRecord) -> str:
    """`valid`, `invalid`, `no submission`, `cancelled` or `failed (<blame>)`."""
    if record.state == "cancelled":
        return "cancelled"
    if is_failure(record):
        return f"failed ({record.blame or 'unknown'})"
    if record.score is not None:
        return "valid"
    return "invalid" if record.submission.exists else "no submission"


def is_failure(record: RunRecord) -> bool:
    """Whether a run ended without a score because something went wrong, whatever the blame."""
    if record.state == "failed":
        return True
    return record.state == "finished" and record.score is None and record.blame is not None


def count_outcomes(records: Iterable[RunRecord]) -> Counter[str]:
    """How many runs ended in which way."""
    return Counter(outcome_of(record) for record in records if record.is_final)


def describe_outcomes(records: Iterable[RunRecord]) -> str:
    """`3 medals (1 G, 0 S, 2 B), 1 invalid, 2 failed (agent)`."""
    records = list(records)
    medals = Counter(record.medal for record in records if record.medal)
    letters = ", ".join(f"{medals[medal]} {medal[0].upper()}" for medal in MEDALS)
    counts = count_outcomes(records)
    others = (f"{counts[name]} {name}" for name in sorted(counts) if name != "valid")
    return ", ".join([f"{medals.total()} medals ({letters})", *others])


def failing_alike(group: GroupFolder, records: Iterable[RunRecord]) -> bool:
    """Whether the first runs that ended all failed by the agent's fault, in the same way."""
    ended = [record for record in records if record.is_final]
    if len(ended) < ALIKE:
        return False
    if any(not is_failure(record) or record.blame != "agent" for record in ended):
        return False
    return len({_signature(group, record) for record in ended}) == 1


def _signature(group: GroupFolder, record: RunRecord) -> tuple[str, str]:
    last = last_lines(group.run(record.run_id).agent_log, 1)
    return NUMBERS.sub("#", record.reason or ""), NUMBERS.sub("#", last)
