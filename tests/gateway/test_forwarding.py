"""Calls go through, streamed and whole, in both shapes, and are on record."""

from __future__ import annotations

import json

import pytest

from tests.gateway.conftest import KEY, Run, hello
from tests.gateway.provider import Provider


def test_a_call_goes_through_and_is_recorded(run: Run, provider: Provider) -> None:
    status, answer = run.ask()
    assert status == 200
    assert answer["choices"][0]["message"]["content"] == "one two three four five"
    sent = provider.seen[0]
    assert sent["path"] == "/v1/chat/completions"
    assert dict(sent["headers"])["Authorization"] == f"Bearer {KEY}"
    totals = run.endpoint.close()
    assert totals.calls == totals.answered == 1
    assert (totals.input_tokens, totals.output_tokens) == (100, 20)
    kinds = [entry["kind"] for entry in run.entries()]
    assert kinds == ["open", "start", "exchange", "close"]
    (exchange,) = run.entries("exchange")
    assert exchange["request"]["messages"] == hello()["messages"]
    assert exchange["response"] == answer
    assert exchange["cost"] is None


def test_totals_are_asked_without_closing_the_endpoint(run: Run) -> None:
    assert run.ask()[0] == 200
    assert (run.endpoint.totals().calls, run.endpoint.is_broken()) == (1, False)
    assert run.ask()[0] == 200
    assert run.endpoint.totals().calls == 2
    final = run.endpoint.close()
    assert final.calls == 2
    with pytest.raises(OSError):
        run.ask()
    assert run.endpoint.totals() == run.endpoint.close() == final


def test_models_are_told_without_asking_the_provider(run: Run, provider: Provider) -> None:
    status, answer = run.ask("/v1/models", method="GET")
    assert (status, answer["data"][0]["id"]) == (200, "stand-in")
    assert provider.contacts == 0


def test_a_stream_is_passed_on_and_put_together(run: Run, provider: Provider) -> None:
    status, text = run.ask(body=hello(stream=True))
    assert status == 200
    assert run.headers["Content-Type"] == "text/event-stream"
    pieces = [line.removeprefix("data: ") for line in text.split("\n\n") if line]
    assert pieces[-1] == "[DONE]"
    words = [json.loads(piece)["choices"][0]["delta"].get("content", "") for piece in pieces[:-1]]
    assert "".join(words) == "one two three four five "
    totals = run.endpoint.close()
    assert (totals.input_tokens, totals.output_tokens) == (100, 20)
    (exchange,) = run.entries("exchange")
    message = exchange["response"]["choices"][0]["message"]
    assert message["content"] == "one two three four five "
    assert provider.seen[0]["body"]["stream_options"] == {"include_usage": True}


def test_usage_in_a_stream_comes_to_who_asks_for_it(run: Run) -> None:
    _, text = run.ask(body=hello(stream=True, stream_options={"include_usage": True}))
    assert '"prompt_tokens": 100' in text
    _, text = run.ask(body=hello(stream=True))
    assert "prompt_tokens" not in text


@pytest.mark.parametrize("is_stream", [False, True])
def test_responses_go_through(run: Run, provider: Provider, is_stream: bool) -> None:
    body = {"model": "stand-in", "input": "hello", "stream": is_stream}
    status, answer = run.ask("/v1/responses", body)
    assert status == 200
    assert "one two three four five" in json.dumps(answer)
    assert provider.seen[0]["path"] == "/v1/responses"
    assert provider.seen[0]["body"]["store"] is False
    assert run.endpoint.close().input_tokens == 100


def test_tools_and_inline_images_pass(run: Run, provider: Provider) -> None:
    tool = {"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}}
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    messages = [
        {"role": "user", "content": [{"type": "text", "text": "look"}, image]},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {"id": "1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
            ],
        },
        {"role": "tool", "tool_call_id": "1", "content": "done"},
    ]
    body = {"model": "stand-in", "messages": messages, "tools": [tool], "tool_choice": "auto"}
    assert run.ask(body=body)[0] == 200
    assert provider.seen[0]["body"]["messages"] == messages
    assert provider.seen[0]["body"]["tools"] == [tool]
