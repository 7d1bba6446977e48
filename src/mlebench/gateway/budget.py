"""Budgets: the worst case of a call is reserved on disk before it, and settled after it.

The budget log is a JSONL file under a lock, so that several gateways may share it. A reservation
that was never settled, because its gateway was killed, counts as spent.
"""

from __future__ import annotations

import fcntl
import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import astuple
from pathlib import Path

from mlebench.gateway.prices import NANO_PER_DOLLAR, Amount
from mlebench.gateway.settings import Budget
from mlebench.records.budget import BUDGET_LOG, BudgetEntry


class BudgetSpent(Exception):
    """Too little is left for the worst case of a call; the text is for the agent."""


class BudgetLog:
    """What was reserved and spent, by all runs together and by each.

    Args:
        budget: the limit for all runs together.
    """

    def __init__(self, path: Path, budget: Budget) -> None:
        self.budget = budget
        self._file = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
        self._read_to = 0
        self._reserved: dict[str, tuple[str, Amount]] = {}
        self._total = Amount()
        self._by_run: dict[str, Amount] = {}

    def close(self) -> None:
        os.close(self._file)

    def reserve(self, run: str, budget: Budget, amount: Amount) -> str:
        """Reserve an amount for a call, all or nothing; returns the id of the reservation."""
        with self._locked():
            _require(budget, self._by_run.get(run, Amount()), amount, "this run")
            _require(self.budget, self._total, amount, "this group of runs")
            name = uuid.uuid4().hex
            self._append(BudgetEntry(name, run, reserve=astuple(amount)))
            return name

    def settle(self, name: str, amount: Amount) -> None:
        """Replace a reservation with what the call actually used."""
        with self._locked():
            self._append(BudgetEntry(name, settle=astuple(amount)))

    def spent(self, run: str | None = None) -> Amount:
        """Spent and reserved, by all runs or by one."""
        with self._locked():
            return self._total if run is None else self._by_run.get(run, Amount())

    @contextmanager
    def _locked(self) -> Iterator[None]:
        fcntl.flock(self._file, fcntl.LOCK_EX)
        try:
            self._catch_up()
            yield
        finally:
            fcntl.flock(self._file, fcntl.LOCK_UN)

    def _catch_up(self) -> None:
        """Read what other gateways appended; complete the last line if its writer was killed."""
        size = os.fstat(self._file).st_size
        if size <= self._read_to:
            return
        text = os.pread(self._file, size - self._read_to, self._read_to)
        if not text.endswith(b"\n"):
            os.write(self._file, b"\n")
            text += b"\n"
        self._read_to += len(text)
        # A line is cut when its writer was killed before it sent anything to the provider.
        for entry in BUDGET_LOG.decode(text):
            self._apply(entry)

    def _append(self, entry: BudgetEntry) -> None:
        line = BUDGET_LOG.encode(entry)
        # One short write: after a kill a reader sees the whole line or ignores it.
        os.write(self._file, line)
        self._read_to += len(line)
        self._apply(entry)

    def _apply(self, entry: BudgetEntry) -> None:
        if entry.reserve is not None:
            self._book(entry.run, Amount(*entry.reserve))
            self._reserved[entry.id] = (entry.run, Amount(*entry.reserve))
        elif entry.settle is not None and entry.id in self._reserved:
            run, reserved = self._reserved.pop(entry.id)
            self._book(run, Amount(*entry.settle) - reserved)

    def _book(self, run: str, amount: Amount) -> None:
        self._total += amount
        self._by_run[run] = self._by_run.get(run, Amount()) + amount


def _require(budget: Budget, spent: Amount, amount: Amount, whose: str) -> None:
    after = spent + amount
    text = f"the model budget of {whose} is spent: "
    if budget.calls is not None and after.calls > budget.calls:
        raise BudgetSpent(f"{text}{spent.calls} of {budget.calls} calls were made")
    if budget.tokens is not None and after.tokens > budget.tokens:
        raise BudgetSpent(
            f"{text}{spent.tokens:,} of {budget.tokens:,} tokens are used or reserved, and this"
            f" call could use {amount.tokens:,}"
        )
    if budget.cost is not None and after.nano_dollars > budget.cost * NANO_PER_DOLLAR:
        raise BudgetSpent(
            f"{text}{spent.dollars:.4f} of {budget.cost:g} dollars are used or reserved, and"
            f" this call could use {amount.dollars:.4f}"
        )
