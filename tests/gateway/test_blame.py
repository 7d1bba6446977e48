"""R06, G09: what an agent asks for costs what it costs, and its failures are no outage."""

from __future__ import annotations

from typing import Any

import pytest

from mlebench.gateway.prices import IMAGE_TOKENS, most_input_tokens
from mlebench.gateway.rules import Denied, RequestCheck
from mlebench.gateway.rules.chat import CHAT_REQUEST
from mlebench.gateway.rules.responses import RESPONSES_REQUEST
from mlebench.gateway.settings import Budget
from tests.gateway import provider as behave
from tests.gateway.conftest import Run, Start, hello
from tests.gateway.provider import Provider

FILLER = "data:image/" + "x" * 3_000_000
IMAGE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}


@pytest.mark.parametrize("code", [402, 403, 500, 503, 429])
def test_a_failure_that_only_the_agent_sees_is_no_outage(
    start: Start, provider: Provider, code: int
) -> None:
    run = start(attempts=1)
    provider.default = behave.status(code)
    provider.models = behave.raw(b'{"data": []}')
    assert run.ask()[0] in (429, 502)
    assert run.endpoint.close().outage is None


@pytest.mark.parametrize("code", [401, 403, 503])
def test_a_failure_of_our_own_question_is_an_outage(
    start: Start, provider: Provider, code: int
) -> None:
    run = start(attempts=1)
    provider.default = provider.models = behave.status(code)
    run.ask()
    assert "the model provider" in (run.endpoint.close().outage or "")


def test_a_stream_that_breaks_for_the_agent_alone_is_no_outage(
    start: Start, provider: Provider
) -> None:
    run = start()
    provider.default = behave.half_a_stream
    provider.models = behave.raw(b"{}")
    run.ask(body=hello(stream=True))
    assert run.endpoint.close().outage is None


TEXTS: list[dict[str, Any]] = [
    hello(FILLER),
    hello("x", user=FILLER),
    hello("x", stop=FILLER),
    {"messages": [{"role": "user", "content": [{"type": "text", "text": FILLER}]}]},
    {"messages": [{"role": "assistant", "content": "", "reasoning": FILLER}]},
    {"messages": [], "functions": [{"name": "f", "description": FILLER}]},
    {
        "messages": [],
        "tools": [
            {
                "type": "function",
                "function": {"name": "f", "parameters": {"type": "image_url", "image_url": FILLER}},
            }
        ],
    },
    {"input": FILLER},
    {"input": [{"type": "function_call_output", "call_id": "1", "output": FILLER}]},
]


def most_tokens(body: dict[str, Any]) -> int:
    check = RequestCheck()
    shape = RESPONSES_REQUEST if "input" in body else CHAT_REQUEST
    return most_input_tokens(shape(body, "", check), check.images)


@pytest.mark.parametrize("body", TEXTS)
def test_text_that_looks_like_an_image_is_counted_as_text(body: dict[str, Any]) -> None:
    assert most_tokens(body) >= len(FILLER)


def test_an_image_is_counted_as_an_image() -> None:
    body = {"messages": [{"role": "user", "content": [IMAGE, IMAGE]}]}
    tokens = most_tokens(body)
    assert 2 * IMAGE_TOKENS < tokens < 2 * IMAGE_TOKENS + 1000


def test_a_cost_limit_holds_for_text_that_looks_like_an_image(
    start: Start, provider: Provider
) -> None:
    prices = {"models": {"stand-in": {"input": 1.0, "output": 1.0}}}
    run = start(prices=prices, run_budget=Budget(cost=0.7), max_output_tokens=10)
    status, answer = run.ask(body=hello("data:image/" + "x" * 1_000_000))
    assert (status, answer["error"]["code"]) == (402, "budget_spent")
    assert provider.seen == []


OBJECT = {"web_search": {"url": "https://evil.example"}}
NOT_JUDGED: list[dict[str, Any]] = [
    {"messages": [{"role": "assistant", "content": "", "reasoning": OBJECT}]},
    {"messages": [{"role": "assistant", "content": "", "reasoning_content": OBJECT}]},
    {"messages": [{"role": "assistant", "content": "", "refusal": OBJECT}]},
    {"messages": [{"role": "assistant", "content": "", "function_call": OBJECT}]},
    {"messages": [{"role": "assistant", "tool_calls": [{"function": OBJECT}]}]},
    {"messages": [{"role": "user", "content": "x", "name": OBJECT}]},
    {"messages": [{"role": "user", "content": [{"type": "text", "text": OBJECT}]}]},
    {"messages": [], "function_call": OBJECT},
    {"messages": [], "function_call": "web_search"},
    {"messages": [], "stop": [OBJECT]},
    {"messages": [], "logit_bias": {"1": OBJECT}},
    {"messages": [], "response_format": {"type": "text", "plugins": OBJECT}},
    {"messages": [], "stream_options": OBJECT},
]


@pytest.mark.parametrize("body", NOT_JUDGED)
def test_every_field_of_a_chat_is_judged(body: dict[str, Any]) -> None:
    with pytest.raises(Denied):
        CHAT_REQUEST(body, "", RequestCheck())


@pytest.mark.parametrize("name", ["user", "seed", "temperature", "verbosity", "top_k", "stream"])
def test_simple_fields_carry_no_object(run: Run, provider: Provider, name: str) -> None:
    status, answer = run.ask(body=hello(**{name: OBJECT}))
    assert (status, name in answer["error"]["message"]) == (400, True)
    assert provider.contacts == 0


@pytest.mark.parametrize(
    "body",
    [
        {"input": "x", "reasoning": {"effort": OBJECT}},
        {"input": "x", "reasoning": {"summary": OBJECT}},
        {"input": [{"type": "function_call", "name": "f", "arguments": OBJECT}]},
        {"input": [{"type": "reasoning", "encrypted_content": OBJECT}]},
        {
            "input": [
                {"role": "user", "content": [{"type": "output_text", "annotations": [OBJECT]}]}
            ]
        },
    ],
)
def test_every_field_of_a_response_is_judged(body: dict[str, Any]) -> None:
    with pytest.raises(Denied):
        RESPONSES_REQUEST(body, "", RequestCheck())
