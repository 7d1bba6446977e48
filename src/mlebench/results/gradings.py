"""How often runs were graded, from the ledgers of their groups, and whether these are intact."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from mlebench.errors import DataError
from mlebench.records.folders import GroupFolder
from mlebench.records.ledger import GradingLedger, read_ledger
from mlebench.results.attempts import Attempt


@dataclass(frozen=True)
class Gradings:
    """Counts over all groups of a report."""

    groups: int
    with_ledger: int
    lines: int
    repeated: tuple[str, ...]
    """Runs that were graded more than once in one attempt."""

    problems: tuple[str, ...]
    """Ledgers whose chain is broken."""

    def __str__(self) -> str:
        if not self.with_ledger:
            return "no ledger"
        state = "broken" if self.problems else "intact"
        missing = self.groups - self.with_ledger
        note = f", {missing} groups without one" if missing else ""
        return f"{self.lines:,}, {len(self.repeated):,} of them repeated; ledger {state}{note}"


def count_gradings(attempts: Iterable[Attempt]) -> Gradings:
    """Read and verify the ledger of every group."""
    groups = dict.fromkeys(attempt.source for attempt in attempts if attempt.group)
    seen: Counter[tuple[str, int]] = Counter()
    problems = []
    with_ledger = 0
    for place in groups:
        try:
            found = read_ledger(GroupFolder(Path(place)).ledger)
        except DataError as error:
            found = GradingLedger(problems=(str(error),))
        with_ledger += bool(found.entries or found.problems)
        problems += [f"{Path(place).name}: {text}" for text in found.problems]
        seen.update((entry.run_id, entry.attempt) for entry in found.entries)
    repeated = tuple(sorted({run for (run, _), count in seen.items() if count > 1}))
    return Gradings(len(groups), with_ledger, seen.total(), repeated, tuple(problems))
