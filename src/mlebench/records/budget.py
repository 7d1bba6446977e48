"""The budget log of a group: reservations and costs of model calls, one entry per line.

Several gateways append to it under a lock. Settling refers to a reservation by its id.
"""

from __future__ import annotations

import msgspec

from mlebench.records.codec import LineFormat

Listed = tuple[int, int, int]
"""Tokens, billionths of a dollar, calls."""


class BudgetEntry(msgspec.Struct, frozen=True, omit_defaults=True):
    """A reservation (`run` and `reserve`), or the settling of one (`settle`)."""

    id: str
    run: str = ""
    reserve: Listed | None = None
    settle: Listed | None = None


BUDGET_LOG = LineFormat(BudgetEntry)
