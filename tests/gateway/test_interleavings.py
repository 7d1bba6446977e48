"""G07: with `--max-cost-run`, no interleaving of parallel calls spends more than the limit."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from mlebench.gateway.budget import BudgetLog, BudgetSpent
from mlebench.gateway.exchange import Exchange, RunAccount
from mlebench.gateway.faults import ProviderFault, broken_off
from mlebench.gateway.keys import KeyFilter
from mlebench.gateway.prices import NANO_PER_DOLLAR, TokenUsage, find_price
from mlebench.gateway.routes import Call, find_route, read_call
from mlebench.gateway.settings import Budget, GatewaySettings
from mlebench.gateway.trajectory import Trajectory
from tests.gateway.conftest import PRICES, Start
from tests.gateway.stand_ins import Model, Reply
from tests.gateway.talkers import TALKERS
from tests.gateway.test_protocols import cost

AT_ONCE = 16
LIMIT = 0.02
SAID = {"role": "user", "content": "x" * 40}
REQUESTS: list[tuple[str, str, dict[str, Any]]] = [
    ("/v1/chat/completions", "", {"model": "m", "messages": [SAID], "max_tokens": 100}),
    ("/v1/responses", "", {"model": "m", "input": "x" * 300, "max_output_tokens": 300}),
    ("/v1/messages", "", {"model": "m", "messages": [SAID], "max_tokens": 200}),
    (
        "/v1beta/models/m:streamGenerateContent",
        "alt=sse",
        {"contents": [{"parts": [{"text": "x"}]}], "generationConfig": {"maxOutputTokens": 50}},
    ),
]


def calls(settings: GatewaySettings) -> list[Call]:
    return [
        read_call(find_route("POST", path, query), json.dumps(body).encode(), settings)
        for path, query, body in REQUESTS
    ]


@pytest.fixture
def budget_log(tmp_path: Path) -> Iterator[BudgetLog]:
    found = BudgetLog(tmp_path / "budget.jsonl", Budget())
    yield found
    found.close()


@pytest.mark.parametrize("count", [100, pytest.param(1000, marks=pytest.mark.long)])
def test_no_interleaving_passes_the_limit(budget_log: BudgetLog, count: int) -> None:
    prices = {"models": {"m": PRICES["models"]["stand-in"]}}
    settings = GatewaySettings(
        "m",
        "https://api.anthropic.com/v1",
        api="anthropic",
        prices=prices,
        run_budget=Budget(cost=LIMIT),
    )
    price = find_price(prices, "m")
    assert price
    known = calls(settings)
    record = Trajectory(Path("/dev/null"), KeyFilter(""))
    refused = 0
    for seed in range(count):
        draw = random.Random(seed)
        account = RunAccount("r", settings, record, budget_log, price)
        world = Interleaving(account, draw)
        for _ in range(60):
            world.step(known)
            assert world.true_cost <= LIMIT * NANO_PER_DOLLAR
        refused += world.refused
        while world.flying:
            world.end()
        assert world.true_cost <= account.totals.nano_dollars <= LIMIT * NANO_PER_DOLLAR
        assert account.totals.nano_dollars == budget_log.spent(account.scope).nano_dollars
    record.close()
    assert refused > count, "the limit was reached again and again"


class Interleaving:
    """Calls of one run that start and end in random order, as a provider would bill them."""

    def __init__(self, account: RunAccount, draw: random.Random) -> None:
        self.account, self.draw = account, draw
        self.flying: list[tuple[Exchange, TokenUsage, int]] = []
        self.true_cost = 0
        self.refused = 0

    def step(self, known: list[Call]) -> None:
        if self.flying and (len(self.flying) >= AT_ONCE or self.draw.random() < 0.4):
            self.end()
        else:
            self.begin(self.draw.choice(known))

    def begin(self, call: Call) -> None:
        exchange = Exchange(self.account, call)
        try:
            exchange.__enter__()
        except BudgetSpent:
            self.refused += 1
            return
        size = len(json.dumps(call.body))
        used_in = self.draw.randint(0, size)
        cached = self.draw.randint(0, used_in)
        written = self.draw.randint(0, used_in - cached)
        hour = self.draw.randint(0, written)
        output = self.draw.randint(0, call.max_output)
        usage = TokenUsage(used_in, output, cached, written, hour)
        price = self.account.price
        billed = price.cost(usage) if price else 0
        # The provider bills from the moment it has the request.
        self.true_cost += billed
        self.flying.append((exchange, usage, billed))

    def end(self) -> None:
        exchange, usage, billed = self.flying.pop(self.draw.randrange(len(self.flying)))
        way = self.draw.randrange(5)
        if way == 0:  # the agent has gone
            exchange.__exit__(None, None, None)
            return
        if way == 1:
            exchange.__exit__(ProviderFault, broken_off("cut"), None)
            return
        if way == 2:  # refused by the provider: not billed
            self.true_cost -= billed
            exchange.__exit__(ProviderFault, ProviderFault("busy", 429, "later"), None)
            return
        exchange.answered({}, usage if way == 3 else None)
        exchange.__exit__(None, None, None)


def test_parallel_agents_of_all_protocols_stay_below_the_limit(start: Start, model: Model) -> None:
    model.default = Reply("", [("run", {"x": "1"})])
    limit = 0.12
    prices = {"models": {"stand-in": PRICES["models"]["stand-in"] | {"image_tokens": 100}}}
    run = start(prices=prices, run_budget=Budget(cost=limit), max_output_tokens=300)

    def work(number: int) -> None:
        talker = list(TALKERS.values())[number % 4](run, is_stream=number % 3 == 0)
        talker.work("begin")
        assert talker.status == 402

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))
    spent = sum(cost(counts) for counts in model.counted)
    assert 0.5 * limit < spent / 1e9 <= limit
    totals = run.endpoint.close()
    assert totals.cost == spent / 1e9
    assert totals.budget_spent
