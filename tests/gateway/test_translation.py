"""A provider that speaks Anthropic's messages: agents still speak OpenAI's protocol."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from mlebench.gateway.client import start_gateway
from mlebench.gateway.settings import GatewaySettings
from tests.gateway.conftest import KEY, Run, Start, hello
from tests.gateway.provider import Handler, Provider, raw, status

USAGE = {"input_tokens": 90, "cache_read_input_tokens": 10, "output_tokens": 20}
KNOWN = set(
    """model messages max_tokens system tools tool_choice temperature top_p stop_sequences stream
    metadata thinking""".split()
)
TOOL = {
    "type": "function",
    "function": {"name": "run", "description": "Runs.", "parameters": {"type": "object"}},
}
IMAGE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}


def answer(handler: Handler, body: dict[str, Any]) -> None:
    """As the messages API does: strict about the request, thinking, text and a tool's use."""
    if problem := find_problem(handler, body):
        error = {"type": "error", "error": {"type": "invalid_request_error", "message": problem}}
        handler.send_whole(400, json.dumps(error).encode())
        return
    blocks: list[dict[str, Any]] = [{"type": "text", "text": "one two"}]
    if body.get("tools"):
        blocks.append({"type": "tool_use", "id": "toolu_1", "name": "run", "input": {"x": 2}})
    reason = "tool_use" if body.get("tools") else "end_turn"
    message = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": body["model"],
        "content": blocks,
        "stop_reason": reason,
        "stop_sequence": None,
        "usage": USAGE,
    }
    if not body.get("stream"):
        handler.send_whole(200, json.dumps(message).encode())
        return
    handler.begin_stream()
    for event in stream_of(message):
        handler.piece(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode())
    handler.end_stream()


def find_problem(handler: Handler, body: dict[str, Any]) -> str | None:
    if handler.path != "/v1/messages":
        return f"path {handler.path}"
    if handler.headers["anthropic-version"] != "2023-06-01":
        return "no version"
    if handler.headers["x-api-key"] != KEY or handler.headers["Authorization"]:
        return "no key"
    if unknown := set(body) - KNOWN:
        return f"unknown {unknown}"
    if not isinstance(body.get("max_tokens"), int):
        return "no max_tokens"
    roles = [message["role"] for message in body["messages"]]
    if roles[0] != "user" or any(a == b for a, b in pairwise(roles)):
        return f"roles {roles}"
    return None


def stream_of(message: dict[str, Any]) -> list[dict[str, Any]]:
    start = message | {"content": [], "usage": USAGE | {"output_tokens": 1}, "stop_reason": None}
    events: list[dict[str, Any]] = [{"type": "message_start", "message": start}, {"type": "ping"}]
    for number, block in enumerate(message["content"]):
        if block["type"] == "text":
            first = {"type": "text", "text": ""}
            deltas = [{"type": "text_delta", "text": part} for part in ("one ", "two")]
        else:
            first = block | {"input": {}}
            parts = ('{"x"', ": 2}")
            deltas = [{"type": "input_json_delta", "partial_json": part} for part in parts]
        events.append({"type": "content_block_start", "index": number, "content_block": first})
        events += [
            {"type": "content_block_delta", "index": number, "delta": delta} for delta in deltas
        ]
        events.append({"type": "content_block_stop", "index": number})
    end = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    events.append({"type": "message_delta", "delta": end, "usage": {"output_tokens": 20}})
    return [*events, {"type": "message_stop"}]


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    with Provider() as server:
        server.default = answer
        yield server


@pytest.fixture(scope="module")
def gateway(provider: Provider, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    settings = GatewaySettings("stand-in", provider.url, api="anthropic", timeout_seconds=5)
    budget_log = tmp_path_factory.mktemp("gateway") / "budget.jsonl"
    with start_gateway(settings, KEY, budget_log) as control:
        yield control


@pytest.fixture
def claude(start: Start, gateway: Path, provider: Provider) -> Run:
    provider.seen.clear()
    provider.connections = 0
    return start(gateway)


def test_words_tools_and_images_are_translated(claude: Run, provider: Provider) -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "run", "arguments": '{"x": 1}'}}
    messages = [
        {"role": "system", "content": "be brief"},
        {"role": "user", "content": [{"type": "text", "text": "look"}, IMAGE]},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": "done"},
    ]
    body = hello(messages=messages, tools=[TOOL], temperature=0.5, stop=["END"], max_tokens=50)
    code, whole = claude.ask(body=body)
    assert code == 200, whole
    choice = whole["choices"][0]
    assert choice["finish_reason"] == "tool_calls"
    assert choice["message"]["content"] == "one two"
    (used,) = choice["message"]["tool_calls"]
    assert (used["id"], used["function"]["name"]) == ("toolu_1", "run")
    assert json.loads(used["function"]["arguments"]) == {"x": 2}
    sent = provider.seen[0]["body"]
    assert (sent["max_tokens"], sent["stop_sequences"], sent["temperature"]) == (50, ["END"], 0.5)
    assert sent["system"][0]["text"] == "be brief"
    image = sent["messages"][0]["content"][1]
    assert image["source"]["media_type"] == "image/png"
    assert sent["messages"][1]["content"][0]["input"] == {"x": 1}
    assert sent["messages"][2]["content"][0]["tool_use_id"] == "c1"
    # What the agent sends back passes again.
    messages += [choice["message"], {"role": "tool", "tool_call_id": "toolu_1", "content": "ok"}]
    code, whole = claude.ask(body=hello(messages=messages, tools=[TOOL]))
    assert code == 200, whole
    (first, _) = claude.entries("exchange")
    assert first["request"]["messages"] == messages[:4]
    totals = claude.endpoint.close()
    assert (totals.input_tokens, totals.cached_tokens) == (200, 20)
    assert totals.output_tokens == 40


def test_a_stream_is_translated_as_it_comes(claude: Run) -> None:
    code, text = claude.ask(body=hello(stream=True, tools=[TOOL]))
    assert code == 200
    lines = [line.removeprefix("data: ") for line in text.split("\n\n") if line]
    assert lines[-1] == "[DONE]"
    deltas = [json.loads(line)["choices"][0]["delta"] for line in lines[:-1]]
    assert "".join(delta.get("content") or "" for delta in deltas) == "one two"
    (exchange,) = claude.entries("exchange")
    choice = exchange["response"]["choices"][0]
    assert choice["finish_reason"] == "tool_calls"
    assert json.loads(choice["message"]["tool_calls"][0]["function"]["arguments"]) == {"x": 2}
    totals = claude.endpoint.close()
    assert (totals.input_tokens, totals.output_tokens) == (100, 20)


def test_what_the_provider_cannot_do_is_refused(claude: Run, provider: Provider) -> None:
    code, text = claude.ask(body=hello(n=2))
    assert (code, text["error"]["code"]) == (400, "not_allowed")
    code, text = claude.ask(body=hello(messages=[]))
    assert code == 400, text
    assert provider.connections == 0


@pytest.mark.parametrize(
    ("behaviour", "expected"),
    [
        (raw(b'{"type": "message"}'), (502, "provider_answer")),
        (raw(b"[1]"), (502, "provider_answer")),
        (status(401, b'{"error": {"message": "invalid x-api-key"}}'), (502, "provider_key")),
        (status(400, b'{"error": {"message": "no"}}'), (400, "provider_request")),
    ],
)
def test_bad_answers_are_blamed_on_the_provider(
    claude: Run, provider: Provider, behaviour: Any, expected: tuple[int, str]
) -> None:
    provider.plan = [behaviour]
    code, text = claude.ask()
    assert (code, text["error"]["code"]) == expected
    assert claude.ask()[0] == 200


def test_an_overloaded_stream_ends_with_an_error(claude: Run, provider: Provider) -> None:
    def overloaded(handler: Handler, body: dict[str, Any]) -> None:
        handler.begin_stream()
        error = {"type": "error", "error": {"type": "overloaded_error", "message": KEY}}
        handler.piece(f"event: error\ndata: {json.dumps(error)}\n\n".encode())
        handler.end_stream()

    provider.plan = [overloaded]
    code, text = claude.ask(body=hello(stream=True))
    assert code == 200
    assert "provider_overloaded" in text
    claude.endpoint.close()
    for place in (text, claude.trajectory.read_text()):
        assert KEY not in place
