"""A provider that fails in every way: the run goes on, nothing hangs, the blame is right."""

from __future__ import annotations

import json

import pytest

from tests.gateway import provider as behave
from tests.gateway.conftest import Run, Start, hello
from tests.gateway.provider import Provider


@pytest.mark.parametrize("code", [429, 500, 502, 503, 529, 408])
def test_what_is_retryable_is_tried_again(run: Run, provider: Provider, code: int) -> None:
    provider.plan = [behave.status(code)] * 2
    assert run.ask()[0] == 200
    totals = run.endpoint.close()
    assert (totals.calls, totals.answered) == (1, 1)
    assert totals.waited_seconds > 0.5
    (exchange,) = run.entries("exchange")
    assert exchange["statuses"] == [code, code, 200]


@pytest.mark.parametrize(
    ("code", "seen", "tries"), [(400, 400, 1), (401, 502, 1), (403, 502, 1), (404, 400, 1)]
)
def test_what_is_not_is_told_at_once(
    run: Run, provider: Provider, code: int, seen: int, tries: int
) -> None:
    provider.default = behave.status(code)
    assert run.ask()[0] == seen
    assert len(provider.seen) == tries


def test_waits_are_bounded(start: Start, provider: Provider) -> None:
    run = start(wait_seconds=1)
    provider.default = behave.status(429, Retry_After="999999999")
    status, answer = run.ask(timeout=60)
    assert (status, answer["error"]["code"]) == (429, "provider_busy")
    provider.default = behave.status(503, Retry_After="1")
    assert run.ask(timeout=60)[0] == 502


def test_no_answer_ends_in_time(start: Start, provider: Provider) -> None:
    run = start(timeout_seconds=0.5)
    provider.default = behave.nothing(600)
    for body in (hello(), hello(stream=True)):
        status, answer = run.ask(body=body, timeout=60)
        assert (status, answer["error"]["code"]) == (504, "provider_timeout")
    totals = run.endpoint.close()
    assert totals.outage == "the model provider never answered: timeout"
    assert totals.unknown_tokens > 0


def test_a_dead_provider_is_an_outage(start: Start) -> None:
    run = start(base_url="http://127.0.0.1:9/v1", attempts=2)
    status, answer = run.ask()
    assert (status, answer["error"]["code"]) == (502, "provider_connection")
    assert run.endpoint.close().outage == "the model provider failed: connection"


def test_an_answer_after_a_fault_is_no_outage(run: Run, provider: Provider) -> None:
    provider.plan = [behave.status(401)]
    run.ask()
    run.ask()
    assert run.endpoint.close().outage is None


@pytest.mark.parametrize(
    "behaviour",
    [
        behave.half_an_answer,
        behave.raw(b"{"),
        behave.raw(b"[]"),
        behave.raw(b"<html>no</html>"),
        behave.raw(b'{"x": NaN}'),
        behave.raw(b"[" * 100_000),
        behave.raw(b""),
        behave.raw(b'{"choices": []}' + b" " * (33 << 20)),
    ],
    ids=["half", "cut", "list", "html", "nan", "deep", "empty", "33 MB"],
)
def test_an_answer_that_cannot_be_read(
    run: Run, provider: Provider, behaviour: behave.Behaviour
) -> None:
    provider.plan = [behaviour]
    status, answer = run.ask()
    assert (status, answer["error"]["code"]) == (502, "provider_answer")
    assert run.ask()[0] == 200
    totals = run.endpoint.close()
    assert (totals.failed, totals.answered) == (1, 1)
    assert totals.unknown_tokens > 0


@pytest.mark.parametrize(
    "behaviour",
    [
        behave.half_a_stream,
        behave.stream(b"data: {\n\n"),
        behave.stream(b"data: []\n\n"),
        behave.stream(*behave.events_of("a b")[:-1]),
        behave.stream(b'data: {"error": {"message": "overloaded"}}\n\n'),
        behave.stream(b"\xff\xfe\n\n"),
        behave.stream(),
        behave.stream(b"data: " + b"x" * (9 << 20)),
        behave.stream(b'data: {"choices": [{"index": [], "delta": {"tool_calls": 5}}, 7]}\n\n'),
    ],
    ids="half cut list no-done error bytes empty endless odd".split(),
)
def test_a_broken_stream_ends_with_an_error(
    run: Run, provider: Provider, behaviour: behave.Behaviour
) -> None:
    provider.plan = [behaviour]
    status, text = run.ask(body=hello(stream=True))
    assert status == 200
    last = [line for line in text.split("\n\n") if line][-1]
    assert json.loads(last.removeprefix("data: "))["error"]["code"] == "provider_answer"
    assert run.ask()[0] == 200
    assert run.endpoint.close().unknown_tokens > 0


def test_a_whole_answer_to_a_stream_request_is_a_fault(run: Run, provider: Provider) -> None:
    provider.default = behave.raw(json.dumps(behave.completion("x")).encode())
    assert run.ask(body=hello(stream=True))[0] == 502


def test_ten_megabytes_of_text_pass(run: Run, provider: Provider) -> None:
    text = "word " * 2_000_000
    provider.default = behave.raw(json.dumps(behave.completion(text)).encode())
    status, answer = run.ask()
    assert (status, answer["choices"][0]["message"]["content"]) == (200, text)
    (exchange,) = run.entries("exchange")
    kept = exchange["response"]["choices"][0]["message"]["content"]
    assert kept["bytes"] == len(text)
    assert (run.trajectory.parent / kept["$file"]).read_text() == text


def test_a_request_that_is_too_long_is_explained(run: Run, provider: Provider) -> None:
    text = b'{"error": {"message": "maximum context length is 8192", "param": "messages"}}'
    provider.default = behave.status(400, text)
    assert "context_length_exceeded" in run.ask()[1]["error"]["message"]
    text = b'{"error": {"message": "secret words", "param": "temperature"}}'
    provider.default = behave.status(400, text)
    message = run.ask()[1]["error"]["message"]
    assert "'temperature'" in message
    assert "secret" not in message
