"""The makers' own clients in front of their own and of other providers.

Address and key are those of the variables that every agent has; only the socket is named.
"""

from __future__ import annotations

import sys
from typing import Any

import pytest

from tests.gateway.conftest import OpenRun, Run
from tests.gateway.provider import Provider
from tests.gateway.stand_ins import Model, Reply
from tests.gateway.test_protocols import check_books

SCHEMA: dict[str, Any] = {"type": "object", "properties": {"x": {"type": "string"}}}
CALL = Reply("I look.", [("look", {"x": "1"}), ("look", {"x": "2"})])


@pytest.fixture(params=["openai", "anthropic", "gemini"])
def api(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def run(open_run: OpenRun, api: str, monkeypatch: pytest.MonkeyPatch) -> Run:
    """A run whose agent's variables are set."""
    run = open_run(api)
    for name, value in run.endpoint.environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("GOOGLE_API_KEY", raising=False)
    return run


def http_client(run: Run, sdk: Any) -> Any:
    """A client of the HTTP library that the SDK uses: httpx, or its successor."""
    base = vars(sys.modules[f"{sdk.__name__}._base_client"])
    library = base.get("httpx") or base["httpx2"]
    return library.Client(
        transport=library.HTTPTransport(uds=str(run.socket)), trust_env=False, timeout=30
    )


def test_openai(run: Run, model: Model) -> None:
    openai = pytest.importorskip("openai", reason="the SDK is not installed")
    with openai.OpenAI(http_client=http_client(run, openai), max_retries=0) as client:
        assert str(client.base_url) == "http://localhost:5001/v1/"
        facts: dict[str, Any] = {
            "model": "stand-in",
            "messages": [{"role": "user", "content": "x"}],
        }
        function = {"name": "look", "parameters": SCHEMA}
        facts["tools"] = [{"type": "function", "function": function}]
        model.script = [CALL, CALL]
        whole = client.chat.completions.create(**facts)
        message = whole.choices[0].message
        assert (message.content, len(message.tool_calls)) == ("I look.", 2)
        with client.chat.completions.stream(**facts) as stream:
            for _ in stream:
                pass
            final = stream.get_final_completion()
        assert final.choices[0].message.content == "I look."
        arguments = [call.function.arguments for call in final.choices[0].message.tool_calls]
        assert arguments == ['{"x": "1"}', '{"x": "2"}']
        tool = {"type": "function", "name": "look", "parameters": SCHEMA, "strict": False}
        model.script = [CALL, CALL]
        answer = client.responses.create(model="stand-in", input="x", tools=[tool], store=False)
        assert answer.output_text == "I look."
        with client.responses.stream(model="stand-in", input="x", tools=[tool]) as events:
            kinds = {event.type for event in events}
            response = events.get_final_response()
        assert "response.output_text.delta" in kinds
        assert [item.type for item in response.output] == ["message", *["function_call"] * 2]
        assert [item.id for item in client.models.list()] == ["stand-in"]
        with pytest.raises(openai.NotFoundError, match="stand-in"):
            client.chat.completions.create(**facts | {"model": "gpt-4o"})
    check_books(run, model)


def test_anthropic(run: Run, provider: Provider, model: Model, api: str) -> None:
    anthropic = pytest.importorskip("anthropic", reason="the SDK is not installed")
    with anthropic.Anthropic(http_client=http_client(run, anthropic), max_retries=0) as client:
        assert str(client.base_url).rstrip("/") == "http://localhost:5001"
        facts: dict[str, Any] = {
            "model": "stand-in",
            "max_tokens": 1000,
            "messages": [{"role": "user", "content": "x"}],
            "tools": [{"name": "look", "input_schema": SCHEMA}],
        }
        model.script = [CALL, CALL]
        whole = client.messages.create(**facts)
        assert [block.type for block in whole.content] == ["text", "tool_use", "tool_use"]
        assert (whole.stop_reason, whole.content[1].input) == ("tool_use", {"x": "1"})
        with client.messages.stream(**facts) as stream:
            assert "".join(stream.text_stream) == "I look."
            final = stream.get_final_message()
        assert [block.input for block in final.content[1:]] == [{"x": "1"}, {"x": "2"}]
        counted = client.messages.count_tokens(model="stand-in", messages=facts["messages"])
        assert counted.input_tokens == 321 if api == "anthropic" else counted.input_tokens > 0
        assert [item.id for item in client.models.list()] == ["stand-in"]
        beta = client.beta.messages.create(**facts, betas=["context-1m-2025-08-07", "files-api-x"])
        assert beta.content[0].text == "all done"
        if api == "anthropic":
            headers = dict(provider.seen[-1]["headers"])
            assert headers["anthropic-beta"] == "context-1m-2025-08-07"
        assert run.entries("exchange")[-1]["removed"] == ["anthropic-beta: files-api-x"]
        with pytest.raises(anthropic.BadRequestError, match="only tools of your own"):
            search = {"type": "web_search_20250305", "name": "web_search"}
            client.messages.create(**facts | {"tools": [search]})
    totals = run.endpoint.totals()
    assert totals.calls == 4 and totals.refused == 1
    assert totals.output_tokens == sum(counts.output for counts in model.counted)


def test_google(run: Run, model: Model, api: str) -> None:
    genai = pytest.importorskip("google.genai", reason="the SDK is not installed")
    import httpx
    from google.genai import types

    transport = httpx.HTTPTransport(uds=str(run.socket))
    options = types.HttpOptions(
        client_args={"transport": transport, "trust_env": False},
        retry_options=types.HttpRetryOptions(attempts=1),
    )
    with genai.Client(http_options=options) as client:
        address = client._api_client._http_options.base_url
        assert address.rstrip("/") == "http://localhost:5001"
        talk_to_gemini(client, run, model, api)
    assert model.problems == []


def talk_to_gemini(client: Any, run: Run, model: Model, api: str) -> None:
    from google.genai import errors, types

    declared = {"name": "look", "description": "Looks.", "parameters_json_schema": SCHEMA}
    config = types.GenerateContentConfig(
        tools=[types.Tool(function_declarations=[declared])],
        system_instruction="be brief",
        automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
    )
    facts: dict[str, Any] = {"model": "stand-in", "contents": "x", "config": config}
    model.script = [CALL, CALL]
    whole = client.models.generate_content(**facts)
    assert [call.args for call in whole.function_calls] == [{"x": "1"}, {"x": "2"}]
    pieces = list(client.models.generate_content_stream(**facts))
    parts = [part for piece in pieces for part in piece.candidates[0].content.parts or []]
    assert "".join(part.text for part in parts if part.text) == "I look."
    assert [part.function_call.args["x"] for part in parts if part.function_call] == ["1", "2"]
    counted = client.models.count_tokens(model="stand-in", contents="x")
    assert counted.total_tokens == 321 if api == "gemini" else counted.total_tokens > 0
    with pytest.raises(errors.ClientError) as failed:
        search = types.Tool(google_search=types.GoogleSearch())
        asked = types.GenerateContentConfig(tools=[search])
        client.models.generate_content(model="stand-in", contents="x", config=asked)
    assert failed.value.code == 400
    assert "googleSearch" in str(failed.value)
    totals = run.endpoint.totals()
    assert totals.output_tokens == sum(counts.output for counts in model.counted)
