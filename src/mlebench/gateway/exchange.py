"""One call from reservation to settlement, and the totals of a run."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

import msgspec

from mlebench.gateway.budget import BudgetLog
from mlebench.gateway.faults import ProviderFault
from mlebench.gateway.prices import (
    IMAGE_TOKENS,
    NANO_PER_DOLLAR,
    Amount,
    Price,
    TokenUsage,
    most_input_tokens,
)
from mlebench.gateway.routes import Call
from mlebench.gateway.settings import GatewaySettings
from mlebench.gateway.streams import Event
from mlebench.gateway.trajectory import Trajectory
from mlebench.gateway.upstream import Effort
from mlebench.records.run import ModelTotals
from mlebench.records.trajectory import CallFailure, ExchangeEntry, StartEntry

ExchangeOutcome = Literal["answered", "failed", "aborted"]
OUTAGES = ("key", "connection", "redirect")


@dataclass
class RunCounts:
    """What a run has used so far, counted as its calls end; see `ModelTotals`."""

    calls: int = 0
    answered: int = 0
    failed: int = 0
    aborted: int = 0
    refused: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    unknown_tokens: int = 0
    """Counted for calls without a reported usage: their worst case."""

    nano_dollars: int = 0
    waited_seconds: float = 0.0
    seconds: float = 0.0
    budget_spent: bool = False
    last_causes: list[str] = field(default_factory=list)
    """Why calls failed since the last answer."""

    is_provider_out: bool = False
    """Whether, after the last failed call, a request of the gateway's own failed as well."""

    fault: str | None = None
    """An error of the gateway itself."""

    replay_difference: str | None = None
    """The first request that a recording had no answer for."""

    @property
    def outage(self) -> str | None:
        """Why the run has no model now, if gateway or provider are to blame.

        A failed call alone proves nothing, since its content may be the cause: providers answer
        403 to requests that their filters reject.
        """
        if self.fault:
            return self.fault
        last = self.last_causes[-1] if self.last_causes else None
        if last is None or not self.is_provider_out:
            return None
        if last in OUTAGES:
            return f"the model provider failed: {last}"
        if not self.answered and last not in ("request", "moderation"):
            return f"the model provider never answered: {last}"
        return None


@dataclass
class RunAccount:
    """Settings, record, budget and counts of one run."""

    run_id: str
    settings: GatewaySettings
    trajectory: Trajectory
    budget_log: BudgetLog
    price: Price | None
    scope: str = field(default_factory=lambda: uuid.uuid4().hex)
    totals: RunCounts = field(default_factory=RunCounts)
    number: int = 0

    def describe(self) -> ModelTotals:
        """The totals as they are stored in `run.json`."""
        totals = self.totals
        counted = {k: v for k, v in vars(totals).items() if k in ModelTotals.__struct_fields__}
        computed = {
            "waited_seconds": round(totals.waited_seconds, 3),
            "seconds": round(totals.seconds, 3),
            "cost": None if self.price is None else totals.nano_dollars / NANO_PER_DOLLAR,
            "outage": totals.outage,
        }
        is_replay = self.settings.replay is not None
        return ModelTotals(self.settings.model, is_replay=is_replay, **(counted | computed))

    def worst_case(self, call: Call) -> Amount:
        """What a call may take at most."""
        if call.route.is_count:
            return Amount(calls=1)
        per_image = self.price.image_tokens if self.price else IMAGE_TOKENS
        tokens_in = most_input_tokens(call.body, call.images, per_image)
        tokens_out = call.max_output * call.choices
        nano_dollars = 0
        if self.price:
            has_writes = self.settings.api == "anthropic"
            nano_dollars = self.price.most(tokens_in, tokens_out, has_writes=has_writes)
        return Amount(tokens_in + tokens_out, nano_dollars, 1)


class Exchange:
    """One call: reserves its worst case, and is settled and recorded however it ends."""

    def __init__(self, account: RunAccount, call: Call) -> None:
        self.account = account
        self.call = call
        self.effort = Effort()
        self.events: list[Event] = []
        self.partial: Callable[[], dict[str, Any]] | None = None
        """Returns what has arrived of a streamed answer."""

        self.provider_protocol: str | None = None
        """The protocol of the request to the provider; None if there was none."""

        self.removed = list(call.removed)

        self._reserved = account.worst_case(call)
        self._is_done = False

    def __enter__(self) -> Exchange:
        account = self.account
        self._reservation = account.budget_log.reserve(
            account.scope, account.settings.run_budget, self._reserved
        )
        account.number += 1
        self.number = account.number
        account.totals.calls += 1
        self._start = time.monotonic()
        account.trajectory.add(StartEntry(id=self.number, path=self.call.route.path))
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, ProviderFault):
            self.fail(error)
        elif not self._is_done:
            self.account.totals.aborted += 1
            self._finish("aborted", self._reserved, response=self.partial and self.partial())

    def answered(self, answer: dict[str, Any], usage: TokenUsage | None) -> None:
        """Settle an answered call; without a reported usage it costs what was reserved."""
        totals = self.account.totals
        totals.answered += 1
        totals.last_causes.clear()
        amount = self._reserved
        if usage is None:
            totals.unknown_tokens += amount.tokens
        else:
            totals.input_tokens += usage.input
            totals.output_tokens += usage.output
            totals.cached_tokens += usage.cached
            nano_dollars = self.account.price.cost(usage) if self.account.price else 0
            amount = Amount(usage.input + usage.output, nano_dollars, 1)
        self._finish("answered", amount, response=answer, usage=usage)

    def fail(self, fault: ProviderFault) -> None:
        """Settle a failed call; it costs what was reserved if the provider may have billed it."""
        self.account.totals.failed += 1
        self.account.totals.last_causes.append(fault.cause)
        amount = self._reserved if fault.is_billed else Amount(calls=1)
        self._finish("failed", amount, response=self.partial and self.partial(), fault=fault)

    def _finish(
        self,
        outcome: ExchangeOutcome,
        amount: Amount,
        *,
        response: dict[str, Any] | None,
        usage: TokenUsage | None = None,
        fault: ProviderFault | None = None,
    ) -> None:
        self._is_done = True
        account, totals = self.account, self.account.totals
        account.budget_log.settle(self._reservation, amount)
        if outcome != "answered":
            totals.unknown_tokens += amount.tokens
        totals.nano_dollars += amount.nano_dollars
        totals.waited_seconds += self.effort.waited_seconds
        seconds = time.monotonic() - self._start
        totals.seconds += seconds
        whole = response or {}
        account.trajectory.add(
            ExchangeEntry(
                id=self.number,
                path=self.call.route.path,
                outcome=outcome,
                model=account.settings.model,
                answering_model=whole.get("model") or whole.get("modelVersion"),
                seconds=round(seconds, 4),
                waited_seconds=round(self.effort.waited_seconds, 3),
                attempts=self.effort.attempts,
                statuses=self.effort.statuses,
                input_tokens=usage.input if usage else None,
                output_tokens=usage.output if usage else None,
                cached_tokens=usage.cached if usage else None,
                booked_tokens=amount.tokens,
                cost=None if account.price is None else amount.dollars,
                error=None if fault is None else CallFailure(fault.code, fault.detail),
                protocol=self.call.dialect.name,
                provider_protocol=self.provider_protocol or msgspec.UNSET,
                removed=self.removed or msgspec.UNSET,
                request=self.call.asked,
                changed=self.call.changed,
                response=response,
                events=self.events or msgspec.UNSET,
            )
        )
