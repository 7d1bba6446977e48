"""A provider that speaks Anthropic's messages: agents still speak OpenAI's protocol."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.gateway.conftest import KEY, OpenRun, Run, hello
from tests.gateway.provider import Provider, raw, status, stream
from tests.gateway.stand_ins import Model, Reply
from tests.gateway.test_protocols import check_books

TOOL = {
    "type": "function",
    "function": {"name": "run", "description": "Runs.", "parameters": {"type": "object"}},
}
IMAGE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}


@pytest.fixture
def claude(open_run: OpenRun, model: Model) -> Run:
    return open_run("anthropic")


def test_words_tools_and_images_are_translated(
    claude: Run, provider: Provider, model: Model
) -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "run", "arguments": '{"x": 1}'}}
    messages = [
        {"role": "system", "content": "be brief"},
        {"role": "user", "content": [{"type": "text", "text": "look"}, IMAGE]},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": "done"},
    ]
    model.script = [Reply("one two", [("run", {"x": 2})])]
    body = hello(messages=messages, tools=[TOOL], temperature=0.5, stop=["END"], max_tokens=50)
    code, whole = claude.ask(body=body)
    assert code == 200, whole
    choice = whole["choices"][0]
    assert choice["finish_reason"] == "tool_calls"
    assert choice["message"]["content"] == "one two"
    (used,) = choice["message"]["tool_calls"]
    assert (used["id"], used["function"]["name"]) == ("call_1_0", "run")
    assert json.loads(used["function"]["arguments"]) == {"x": 2}
    sent = provider.seen[0]["body"]
    assert (sent["max_tokens"], sent["stop_sequences"], sent["temperature"]) == (50, ["END"], 0.5)
    assert sent["system"][0]["text"] == "be brief"
    image = sent["messages"][0]["content"][1]
    assert image["source"]["media_type"] == "image/png"
    assert sent["messages"][1]["content"][0]["input"] == {"x": 1}
    assert sent["messages"][2]["content"][0]["tool_use_id"] == "c1"
    # What the agent sends back passes again.
    messages += [choice["message"], {"role": "tool", "tool_call_id": used["id"], "content": "ok"}]
    code, whole = claude.ask(body=hello(messages=messages, tools=[TOOL]))
    assert code == 200, whole
    (first, _) = claude.entries("exchange")
    assert first["request"]["messages"] == messages[:4]
    check_books(claude, model)


def test_what_the_provider_cannot_do_is_refused(claude: Run, provider: Provider) -> None:
    code, text = claude.ask(body=hello(n=2))
    assert (code, text["error"]["code"]) == (400, "not_allowed")
    code, text = claude.ask(body=hello(messages=[]))
    assert code == 400, text
    assert provider.contacts == 0


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
    error = {"type": "error", "error": {"type": "overloaded_error", "message": KEY}}
    provider.plan = [stream(f"event: error\ndata: {json.dumps(error)}\n\n".encode())]
    code, text = claude.ask(body=hello(stream=True))
    assert code == 200
    assert "provider_overloaded" in text
    claude.endpoint.close()
    for place in (text, claude.trajectory.read_text()):
        assert KEY not in place
