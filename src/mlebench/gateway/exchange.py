"""One call from reservation to settlement, and the totals of a run."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Literal

from mlebench.gateway.budget import Ledger
from mlebench.gateway.prices import (
    IMAGE_TOKENS,
    NANO,
    Amount,
    Price,
    Usage,
    most_input_tokens,
)
from mlebench.gateway.routes import Call
from mlebench.gateway.settings import GatewaySettings
from mlebench.gateway.trajectory import Trajectory
from mlebench.gateway.upstream import Effort, ProviderFault

Outcome = Literal["answered", "failed", "aborted"]
OUTAGES = ("key", "connection", "redirect")


@dataclass
class Totals:
    """What a run has used so far."""

    calls: int = 0
    answered: int = 0
    failed: int = 0
    aborted: int = 0
    refused: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    unknown_tokens: int = 0
    """Booked for calls of which the provider told no usage: their worst case."""

    nano: int = 0
    waited_seconds: float = 0.0
    seconds: float = 0.0
    budget_spent: bool = False
    last_causes: list[str] = field(default_factory=list)
    """Why calls failed since the last answer."""

    fault: str | None = None
    """Of the gateway itself."""

    replay_difference: str | None = None
    """The first request that a recording had no answer for."""

    @property
    def outage(self) -> str | None:
        """Set where gateway or provider are to blame for a run without a model at its end."""
        if self.fault:
            return self.fault
        last = self.last_causes[-1] if self.last_causes else None
        if last in OUTAGES:
            return f"the model provider failed: {last}"
        if last and not self.answered and last != "request":
            return f"the model provider never answered: {last}"
        return None


@dataclass
class RunBook:
    """Where the exchanges of one run are written and booked."""

    run_id: str
    settings: GatewaySettings
    trajectory: Trajectory
    ledger: Ledger
    price: Price | None
    scope: str = field(default_factory=lambda: uuid.uuid4().hex)
    totals: Totals = field(default_factory=Totals)
    number: int = 0

    def describe(self) -> dict[str, Any]:
        """The totals as they stand in `run.json`."""
        totals = self.totals
        return {
            "name": self.settings.model,
            "calls": totals.calls,
            "answered": totals.answered,
            "failed": totals.failed,
            "aborted": totals.aborted,
            "refused": totals.refused,
            "input_tokens": totals.input_tokens,
            "output_tokens": totals.output_tokens,
            "cached_tokens": totals.cached_tokens,
            "unknown_tokens": totals.unknown_tokens,
            "cost": None if self.price is None else totals.nano / NANO,
            "waited_seconds": round(totals.waited_seconds, 3),
            "seconds": round(totals.seconds, 3),
            "budget_spent": totals.budget_spent,
            "outage": totals.outage,
            "is_replay": self.settings.replay is not None,
            "replay_difference": totals.replay_difference,
        }

    def worst_case(self, call: Call) -> Amount:
        """What a call may take at most."""
        per_image = self.price.image_tokens if self.price else IMAGE_TOKENS
        tokens_in = most_input_tokens(call.body, per_image)
        tokens_out = call.max_output * call.choices
        nano = self.price.most(tokens_in, tokens_out) if self.price else 0
        return Amount(tokens_in + tokens_out, nano, 1)


class Exchange:
    """Reserves at its start; leaves nothing unbooked, however it ends."""

    def __init__(self, book: RunBook, call: Call) -> None:
        self.book = book
        self.call = call
        self.effort = Effort()
        self.events: list[list[str | None]] = []
        self.partial: Callable[[], dict[str, Any]] | None = None
        """Tells what came of a streamed answer that did not come to its end."""

        self._reserved = book.worst_case(call)
        self._is_done = False

    def __enter__(self) -> Exchange:
        book = self.book
        self._reservation = book.ledger.reserve(
            book.scope, book.settings.run_budget, self._reserved
        )
        book.number += 1
        self.number = book.number
        book.totals.calls += 1
        self._start = time.monotonic()
        book.trajectory.add("start", id=self.number, path=self.call.route.path)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if isinstance(error, ProviderFault):
            self.fail(error)
        elif not self._is_done:
            self.book.totals.aborted += 1
            self._finish("aborted", self._reserved, response=self.partial and self.partial())

    def answered(self, answer: dict[str, Any], usage: Usage | None) -> None:
        """Book an answer; one without usage takes what was reserved."""
        totals = self.book.totals
        totals.answered += 1
        totals.last_causes.clear()
        amount = self._reserved
        if usage is None:
            totals.unknown_tokens += amount.tokens
        else:
            totals.input_tokens += usage.input
            totals.output_tokens += usage.output
            totals.cached_tokens += usage.cached
            nano = self.book.price.cost(usage) if self.book.price else 0
            amount = Amount(usage.input + usage.output, nano, 1)
        self._finish("answered", amount, response=answer, usage=usage)

    def fail(self, fault: ProviderFault) -> None:
        """Book a call without an answer; it costs where the provider may have worked on it."""
        self.book.totals.failed += 1
        self.book.totals.last_causes.append(fault.cause)
        amount = self._reserved if fault.is_billed else Amount(calls=1)
        self._finish("failed", amount, response=self.partial and self.partial(), fault=fault)

    def _finish(
        self,
        outcome: Outcome,
        amount: Amount,
        *,
        response: dict[str, Any] | None,
        usage: Usage | None = None,
        fault: ProviderFault | None = None,
    ) -> None:
        self._is_done = True
        book, totals = self.book, self.book.totals
        book.ledger.settle(self._reservation, amount)
        if outcome != "answered":
            totals.unknown_tokens += amount.tokens
        totals.nano += amount.nano
        totals.waited_seconds += self.effort.waited_seconds
        seconds = time.monotonic() - self._start
        totals.seconds += seconds
        book.trajectory.add(
            "exchange",
            id=self.number,
            path=self.call.route.path,
            outcome=outcome,
            model=book.settings.model,
            answering_model=(response or {}).get("model"),
            seconds=round(seconds, 4),
            waited_seconds=round(self.effort.waited_seconds, 3),
            attempts=self.effort.attempts,
            statuses=self.effort.statuses,
            input_tokens=usage.input if usage else None,
            output_tokens=usage.output if usage else None,
            cached_tokens=usage.cached if usage else None,
            booked_tokens=amount.tokens,
            cost=None if book.price is None else amount.nano / NANO,
            error=None if fault is None else {"code": fault.code, "text": fault.detail},
            request=self.call.asked,
            changed={k: v for k, v in self.call.body.items() if self.call.asked.get(k) != v},
            response=response,
            **({"events": self.events} if self.events else {}),
        )
