"""G07 to G09: the worst case is reserved before a call; the sum never passes the budget."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mlebench.errors import UsageError
from mlebench.gateway.budget import BudgetLog, BudgetSpent
from mlebench.gateway.prices import (
    NANO_PER_DOLLAR,
    Amount,
    LongPrice,
    Price,
    TokenUsage,
    find_price,
    most_input_tokens,
    read_openai_usage,
    read_prices,
)
from mlebench.gateway.rules import RequestCheck
from mlebench.gateway.rules.chat import CHAT_REQUEST
from mlebench.gateway.settings import Budget, GatewaySettings
from tests.gateway import provider as behave
from tests.gateway.conftest import Gateway, Start, hello
from tests.gateway.provider import Provider
from tests.http.clients import UnixConnection
from tests.waiting import wait_for

PRICES = {"models": {"stand-in": {"input": 1.0, "output": 2.0}}}
COST = (100 * 1.0 + 20 * 2.0) / 1e6


def test_fifty_at_once_when_one_is_left(start: Start, provider: Provider) -> None:
    one = start(group_budget=Budget(calls=1), max_in_flight=64)
    two = start(control=one.control)
    barrier = threading.Barrier(50)

    def ask(number: int) -> int:
        barrier.wait()
        return (one, two)[number % 2].ask()[0]

    with ThreadPoolExecutor(50) as pool:
        statuses = list(pool.map(ask, range(50)))
    assert sorted(statuses) == [200] + [402] * 49
    assert len(provider.seen) == 1


def test_several_logs_of_one_file_agree(tmp_path: Path) -> None:
    budget = Budget(tokens=1000)
    logs = [BudgetLog(tmp_path / "budget.jsonl", budget) for _ in range(8)]

    def reserve(budget_log: BudgetLog) -> int:
        done = 0
        for _ in range(50):
            try:
                name = budget_log.reserve("r", Budget(), Amount(tokens=30, calls=1))
            except BudgetSpent:
                break
            budget_log.settle(name, Amount(tokens=10, calls=1))
            done += 1
        return done

    with ThreadPoolExecutor(8) as pool:
        done = sum(pool.map(reserve, logs))
    assert {budget_log.spent().tokens for budget_log in logs} == {done * 10}
    assert 970 < done * 10 <= 1000
    for budget_log in logs:
        budget_log.close()


def test_each_budget_ends_in_words(start: Start, provider: Provider) -> None:
    cases: list[tuple[dict[str, Any], str]] = [
        ({"run_budget": Budget(calls=1)}, "1 of 1 calls"),
        ({"run_budget": Budget(tokens=2200), "max_output_tokens": 1000}, "of 2,200 tokens"),
        (
            {"group_budget": Budget(cost=0.0025), "max_output_tokens": 1000, "prices": PRICES},
            "of 0.0025 dollars",
        ),
    ]
    for changes, words in cases:
        run = start(**changes)
        statuses = []
        while not statuses or (statuses[-1] == 200 and len(statuses) < 20):
            status, answer = run.ask()
            statuses.append(status)
        assert statuses[-1] == 402, changes
        assert words in answer["error"]["message"]
        assert answer["error"]["code"] == "budget_spent"
        assert run.endpoint.close().budget_spent is True


def test_budgets_of_runs_are_their_own(start: Start) -> None:
    one = start(run_budget=Budget(calls=1))
    two = start(control=one.control)
    assert [one.ask()[0], one.ask()[0], two.ask()[0]] == [200, 402, 200]


def test_cost_is_booked_and_told(start: Start, gateway: Gateway) -> None:
    run = start(gateway(prices=PRICES))
    run.ask()
    run.ask(body=hello(stream=True))
    assert run.endpoint.close().cost == pytest.approx(2 * COST)
    assert [e["cost"] for e in run.entries("exchange")] == pytest.approx([COST, COST])


HOLD = """
import sys
from pathlib import Path
from mlebench.gateway.budget import BudgetLog
from mlebench.gateway.prices import Amount
from mlebench.gateway.settings import Budget
budget_log = BudgetLog(Path(sys.argv[1]), Budget(tokens=100))
budget_log.settle(budget_log.reserve("r", Budget(), Amount(60, 0, 1)), Amount(40, 0, 1))
budget_log.reserve("r", Budget(), Amount(50, 0, 1))
print("reserved", flush=True)
sys.stdin.read()
"""


def test_a_reservation_survives_kill_9(tmp_path: Path) -> None:
    file = tmp_path / "budget.jsonl"
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(file)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdout and process.stdin
    assert process.stdout.readline() == b"reserved\n"
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    process.stdout.close()
    process.stdin.close()
    with file.open("ab") as stream:
        stream.write(b'{"id": "torn", "run": "r", "rese')
    budget_log = BudgetLog(file, Budget(tokens=100))
    assert budget_log.spent("r") == Amount(90, 0, 2)
    with pytest.raises(BudgetSpent):
        budget_log.reserve("r", Budget(), Amount(11, 0, 1))
    budget_log.reserve("r", Budget(), Amount(10, 0, 1))
    again = BudgetLog(file, Budget())
    assert again.spent().tokens == 100
    budget_log.close()
    again.close()


@pytest.mark.parametrize("after", [0, 1, 2, 4])
def test_a_client_that_leaves_pays(
    start: Start, gateway: Gateway, provider: Provider, after: int
) -> None:
    run = start(gateway(prices=PRICES, max_output_tokens=500))
    provider.default = behave.slow_stream(2000, 0.05)
    connection = UnixConnection(run.socket)
    headers = {"Authorization": f"Bearer {run.key}"}
    connection.request("POST", "/v1/chat/completions", json.dumps(hello(stream=True)), headers)
    if after:
        response = connection.getresponse()
        for _ in range(after):
            response.readline()
        response.close()
    if connection.sock:
        connection.sock.shutdown(socket.SHUT_RDWR)
    connection.close()
    wait_for(lambda: run.entries("exchange"))
    totals = run.endpoint.close()
    assert totals.cost > COST
    assert totals.unknown_tokens > 500
    assert [e["outcome"] for e in run.entries("exchange")] == ["aborted"]


def test_a_stream_without_usage_takes_what_was_reserved(
    start: Start, gateway: Gateway, provider: Provider
) -> None:
    run = start(gateway(prices=PRICES, max_output_tokens=500))
    provider.default = behave.stream(*behave.events_of("a b", usage=False))
    assert run.ask(body=hello(stream=True))[0] == 200
    totals = run.endpoint.close()
    assert totals.cost > 500 * 2.0 / 1e6
    assert totals.answered == 1


def test_multipliers_are_bounded(start: Start, provider: Provider) -> None:
    run = start(max_output_tokens=1000, run_budget=Budget(tokens=10**7))
    for field in ({"n": 128}, {"n": 0}, {"n": "2"}, {"n": True}, {"max_tokens": -1}):
        assert run.ask(body=hello(**field))[0] == 400, field
    run.ask(body=hello(max_tokens=10**9))
    run.ask(body=hello())
    run.ask(body=hello(max_completion_tokens=7))
    run.ask("/v1/responses", {"model": "stand-in", "input": "x"})
    bodies = [seen["body"] for seen in provider.seen]
    assert [body.get("max_tokens") for body in bodies] == [1000, 1000, None, None]
    assert bodies[2]["max_completion_tokens"] == 7
    assert bodies[3]["max_output_tokens"] == 1000


def test_an_unknown_price_with_a_money_budget_is_refused() -> None:
    with pytest.raises(UsageError, match="price of new-model is unknown"):
        GatewaySettings(
            model="new-model", base_url="http://localhost/v1", run_budget=Budget(cost=1.0)
        )


def test_prices_are_found_by_their_exact_name(tmp_path: Path) -> None:
    table = read_prices(None)
    price = find_price(table, "gpt-4o")
    assert price and (price.input, price.output, price.cached_input) == (2.5, 10.0, 1.25)
    assert find_price(table, "gpt-4o-realtime") is None
    file = tmp_path / "prices.json"
    for text in (
        "{",
        "[]",
        '{"models": {"m": {"input": "1", "output": 1}}}',
        '{"models": {"m": 1}}',
    ):
        file.write_text(text)
        with pytest.raises(UsageError, match="price table"):
            read_prices(file)
    file.write_text('{"models": {"m": {"input": 1, "output": 2}}}')
    assert find_price(read_prices(file), "m") == Price(1, 2)


def test_prices_have_a_date_and_a_source_and_can_be_replaced(tmp_path: Path) -> None:
    table = read_prices(None)
    for name in table["models"]:
        price = find_price(table, name)
        assert price and re.fullmatch(r"20\d\d-\d\d(-\d\d)?", price.date or ""), name
        assert (price.source or "").startswith("https://"), name
        assert price.output >= price.input >= (price.cached_input or 0), name
    file = tmp_path / "prices.json"
    file.write_text('{"models": {"gpt-4o": {"input": 1, "output": 2, "source": "a contract"}}}')
    mine = read_prices(file)
    price = find_price(mine, "gpt-4o")
    assert price and (price.input, price.source) == (1, "a contract")
    assert find_price(mine, "gpt-5") == find_price(table, "gpt-5")


def test_cache_writes_by_hand() -> None:
    price = Price(3.0, 15.0, 0.3, cache_write=3.75, cache_write_1h=6.0)
    usage = TokenUsage(1000, 10, cached=300, written=200, written_1h=50)
    assert price.cost(usage) == 500 * 3000 + 300 * 300 + 150 * 3750 + 50 * 6000 + 10 * 15000
    unknown = Price(3.0, 15.0)
    assert unknown.cost(TokenUsage(100, 0, written=100, written_1h=100)) == 100 * 6000
    long = Price(3.0, 15.0, 0.3, long=LongPrice(1000, 6.0, 22.5, 0.6))
    assert long.cost(TokenUsage(2000, 10, cached=500)) == 1500 * 6000 + 500 * 600 + 10 * 22500


def test_cost_by_hand() -> None:
    price = Price(2.0, 8.0, 0.5, long=LongPrice(1000, 4.0, 16.0))
    assert price.cost(TokenUsage(1000, 100, 400)) == round((600 * 2 + 400 * 0.5 + 100 * 8) * 1000)
    assert price.cost(TokenUsage(1001, 100)) == (1001 * 4 + 100 * 16) * 1000


def test_usage_as_providers_tell_it() -> None:
    assert read_openai_usage({"usage": {"prompt_tokens": 5, "completion_tokens": 3}}) == TokenUsage(
        5, 3
    )
    details = {"input_tokens_details": {"cached_tokens": 4}}
    assert read_openai_usage(
        {"usage": {"input_tokens": 5, "output_tokens": 3, **details}}
    ) == TokenUsage(5, 3, 4)
    more = {"prompt_tokens": 5, "completion_tokens": 3, "total_tokens": 50}
    assert read_openai_usage({"usage": more}) == TokenUsage(5, 45)
    for bad in (None, 7, {}, {"prompt_tokens": -1, "completion_tokens": 2}, {"prompt_tokens": "5"}):
        assert read_openai_usage({"usage": bad}) is None


TEXT = st.text(max_size=200)
PART = st.one_of(
    TEXT.map(lambda text: {"type": "text", "text": text}),
    st.just({"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}),
)


@given(
    st.lists(st.one_of(TEXT, st.lists(PART, max_size=3)), max_size=6),
    st.integers(1, 8),
    st.integers(1, 5000),
    st.floats(0, 1),
    st.floats(0.01, 100),
    st.floats(0.01, 100),
    st.booleans(),
)
@settings(max_examples=200, deadline=None)
def test_the_reservation_is_never_below_the_true_cost(
    contents: list[Any],
    choices: int,
    longest: int,
    part: float,
    rate_in: float,
    rate_out: float,
    is_long: bool,
) -> None:
    """True tokens: one a byte at most and a few a message, 48,000 an image at most."""
    long = LongPrice(50, rate_in * 2, rate_out * 1.5) if is_long else None
    price = Price(rate_in, rate_out, rate_in / 10, long)
    messages = [{"role": "user", "content": content} for content in contents]
    true_in = 3
    for content in contents:
        true_in += 8
        for piece in content if isinstance(content, list) else [{"text": content}]:
            true_in += len(piece["text"].encode()) if "text" in piece else 48_000
    used = TokenUsage(true_in, int(longest * choices * part), int(true_in * part))
    body = {"model": "m", "messages": messages}
    check = RequestCheck()
    bound = most_input_tokens(CHAT_REQUEST(body, "", check), check.images)
    assert bound >= true_in
    assert price.most(bound, longest * choices) >= price.cost(used)
    assert price.cost(used) >= 0
    assert NANO_PER_DOLLAR == 10**9
