"""G06: a key that a provider spells in small pieces or in another form does not reach the agent."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from mlebench.gateway.keys import KeyFilter, KeyFound, StreamGuard
from tests.gateway import provider as behave
from tests.gateway.conftest import KEY, Run, hello
from tests.gateway.provider import Provider

FORMS: dict[str, Callable[[str], str]] = {
    "as it is": str,
    "hexadecimal": lambda key: key.encode().hex(),
    "upper-case hexadecimal": lambda key: key.encode().hex().upper(),
    "reversed": lambda key: key[::-1],
    "upper case": str.upper,
    "hexadecimal of its end": lambda key: key[-8:].encode().hex(),
    "end reversed": lambda key: key[-8:][::-1],
}


def chat_events(text: str, size: int) -> list[bytes]:
    parts = [text[start : start + size] for start in range(0, len(text), size)]
    pieces = [{"choices": [{"index": 0, "delta": {"content": part}}]} for part in parts]
    return [f"data: {json.dumps(piece)}\n\n".encode() for piece in pieces] + [b"data: [DONE]\n\n"]


def response_events(text: str, size: int) -> list[bytes]:
    parts = [text[start : start + size] for start in range(0, len(text), size)]
    pieces = [
        {"type": "response.output_text.delta", "output_index": 0, "delta": part} for part in parts
    ]
    return [f"data: {json.dumps(piece)}\n\n".encode() for piece in pieces]


def joined(stream: str) -> str:
    """What an agent that puts the deltas together reads."""
    found = ""
    for line in stream.split("\n"):
        if line.startswith("data: {"):
            piece = json.loads(line.removeprefix("data: "))
            found += piece.get("delta", "")
            for choice in piece.get("choices", []):
                found += choice["delta"].get("content") or ""
    return found


@pytest.mark.parametrize("size", [1, 3, 7])
@pytest.mark.parametrize("form", FORMS)
def test_a_stream_does_not_spell_the_key(
    run: Run, provider: Provider, form: str, size: int
) -> None:
    secret = FORMS[form](KEY)
    for path, events, body in (
        ("/v1/chat/completions", chat_events, hello(stream=True)),
        ("/v1/responses", response_events, {"model": "stand-in", "input": "x", "stream": True}),
    ):
        provider.default = behave.stream(*events(f"here it is: {secret} you see", size))
        status, stream = run.ask(path, body)
        assert status == 200
        read = joined(stream)
        assert secret not in read
        assert secret[-8:] not in read
        assert "here it is" in read
        assert json.loads(stream.strip().split("data: ")[-1])["error"]["code"] == "provider_answer"
    written = run.trajectory.read_text()
    assert secret not in written
    assert secret[-8:] not in written


@pytest.mark.parametrize("form", FORMS)
def test_a_whole_answer_does_not_contain_the_key(run: Run, provider: Provider, form: str) -> None:
    secret = FORMS[form](KEY)
    provider.default = behave.raw(json.dumps(behave.completion(f"<{secret}>")).encode())
    status, answer = run.ask()
    assert (status, answer["choices"][0]["message"]["content"]) == (200, "<[removed]>")


def test_other_streams_pass_whole(run: Run, provider: Provider) -> None:
    text = "sk-proj- is how keys begin; sk-proj-Can is no key of ours, and sk- ends the text: sk-"
    provider.default = behave.stream(*chat_events(text, 1))
    _, stream = run.ask(body=hello(stream=True))
    assert joined(stream) == text


def test_without_the_guard_the_key_would_pass() -> None:
    """The filter alone sees each event for itself, and each is harmless."""
    key_filter = KeyFilter(KEY)
    pieces = [{"choices": [{"index": 0, "delta": {"content": letter}}]} for letter in KEY]
    assert not any(key_filter.is_in(json.dumps(piece)) for piece in pieces)
    guard = StreamGuard(key_filter)
    with pytest.raises(KeyFound):
        for piece in pieces:
            guard.pass_on(piece, (None, ""))
