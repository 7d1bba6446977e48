"""Refusals and failures in the shape of each protocol, and what no protocol may ask for."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.gateway import provider as behave
from tests.gateway.conftest import KEY, Gateway, OpenRun, Run, Start
from tests.gateway.provider import Provider
from tests.gateway.stand_ins import Model, Reply
from tests.gateway.talkers import TALKERS
from tests.gateway.test_protocols import NATIVE
from tests.http.clients import UnixConnection

MESSAGES = "/v1/messages"
GEMINI = "/v1beta/models/stand-in:generateContent"
URL = "https://evil.example/?q=secret"
SAID = [{"role": "user", "content": "x"}]
MESSAGE_TOOLS: list[dict[str, Any]] = [
    {"type": "web_search_20250305", "name": "web_search"},
    {"type": "web_fetch_20250910", "name": "web_fetch"},
    {"type": "code_execution_20250825", "name": "code_execution"},
    {"type": "computer_20250124", "name": "computer"},
    {"type": "bash_20250124", "name": "bash"},
    {"type": "mcp_toolset", "mcp_server_name": "x"},
    {"type": "tool_search_tool_regex_20251119", "name": "tool_search"},
    {"name": "f", "input_schema": {}, "server_url": URL},
]
MESSAGE_BLOCKS: list[dict[str, Any]] = [
    {"type": "image", "source": {"type": "url", "url": URL}},
    {"type": "image", "source": {"type": "file", "file_id": "file_1"}},
    {"type": "image", "source": {"type": "base64", "media_type": "text/html", "data": "AA=="}},
    {"type": "document", "source": {"type": "url", "url": URL}},
    {"type": "document", "source": {"type": "file", "file_id": "file_1"}},
    {"type": "container_upload", "file_id": "file_1"},
    {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}},
    {"type": "web_search_tool_result", "tool_use_id": "s", "content": []},
    {"type": "mcp_tool_use", "id": "s", "name": "x", "server_name": "x", "input": {}},
    {
        "type": "tool_result",
        "tool_use_id": "t",
        "content": [{"type": "image", "source": {"type": "url", "url": URL}}],
    },
]
MESSAGE_FIELDS = {
    "mcp_servers": [{"type": "url", "url": URL, "name": "x"}],
    "container": "container_1",
    "service_tier": "priority",
    "speed": "fast",
}
GEMINI_TOOLS = """googleSearch google_search googleSearchRetrieval codeExecution urlContext
googleMaps fileSearch computerUse enterpriseWebSearch mcpServers retrieval""".split()
GEMINI_PARTS: list[dict[str, Any]] = [
    {"fileData": {"fileUri": URL, "mimeType": "image/png"}},
    {"file_data": {"file_uri": URL}},
    {"inlineData": {"mimeType": "application/pdf", "data": "AA=="}},
    {"inlineData": {"mimeType": "image/png", "data": "AA==", "fileUri": URL}},
    {"executableCode": {"language": "PYTHON", "code": "x"}},
    {"codeExecutionResult": {"outcome": "OUTCOME_OK", "output": ""}},
    {
        "functionResponse": {
            "name": "f",
            "response": {},
            "parts": [{"fileData": {"fileUri": URL}}],
        }
    },
]


def test_nothing_runs_or_is_fetched_at_anthropic(run: Run, provider: Provider) -> None:
    body = {"model": "stand-in", "max_tokens": 10, "messages": SAID}
    good = {"name": "g", "input_schema": {"type": "object"}}
    for tool in MESSAGE_TOOLS:
        assert run.ask(MESSAGES, body | {"tools": [good, tool]})[0] == 400, tool
    for block in MESSAGE_BLOCKS:
        for role in ("user", "assistant"):
            said = [*SAID, {"role": role, "content": [{"type": "text", "text": "x"}, block]}]
            assert run.ask(MESSAGES, body | {"messages": said})[0] == 400, block
    for name, value in MESSAGE_FIELDS.items():
        status, answer = run.ask(MESSAGES, body | {name: value})
        assert (status, name in answer["error"]["message"]) == (400, True), name
    assert provider.contacts == 0
    refused = len(MESSAGE_TOOLS) + 2 * len(MESSAGE_BLOCKS) + len(MESSAGE_FIELDS)
    assert len(run.entries("refused")) == refused


def test_nothing_runs_or_is_fetched_at_google(run: Run, provider: Provider) -> None:
    contents = [{"role": "user", "parts": [{"text": "x"}]}]
    for name in GEMINI_TOOLS:
        body = {"contents": contents, "tools": [{"functionDeclarations": []}, {name: {}}]}
        assert run.ask(GEMINI, body)[0] == 400, name
    for part in GEMINI_PARTS:
        body = {"contents": [*contents, {"role": "user", "parts": [{"text": "x"}, part]}]}
        assert run.ask(GEMINI, body)[0] == 400, part
    for more in (
        {"cachedContent": "cachedContents/1"},
        {"cached_content": "cachedContents/1"},
        {"generationConfig": {"responseModalities": ["IMAGE"]}},
        {"generationConfig": {"candidateCount": 100}},
    ):
        assert run.ask(GEMINI, {"contents": contents, **more})[0] == 400, more
    for model in ("other", "stand-in%2F..%2Fother", "..", "stand-in:x"):
        path = f"/v1beta/models/{model}:generateContent"
        assert run.ask(path, {"contents": contents})[0] == 404, model
    assert provider.contacts == 0


@pytest.mark.parametrize("front", TALKERS)
def test_a_wrong_key_in_words_of_the_protocol(run: Run, provider: Provider, front: str) -> None:
    talker = TALKERS[front](run, is_stream=False)
    talker.say("x")
    path, body = talker.request()
    for headers in ({}, {talker.header: "wrong"}, {"x-api-key": KEY}):
        status, answer = run.ask(path, body, headers=headers)
        assert status == 401
        check_error(front, answer, 401, "authentication_error", "UNAUTHENTICATED")
    entries = run.entries("refused")
    assert [entry["status"] for entry in entries] == [401] * 3
    assert {entry["code"] for entry in entries} == {"invalid_api_key"}
    assert provider.contacts == 0
    for name in ("x-api-key", "x-goog-api-key"):
        assert run.ask("/v1/models", method="GET", headers={name: run.key})[0] == 200


def check_error(front: str, answer: Any, status: int, kind: str, state: str) -> None:
    if front == "messages":
        assert (answer["type"], answer["error"]["type"]) == ("error", kind)
    elif front == "gemini":
        assert (answer["error"]["code"], answer["error"]["status"]) == (status, state)
    else:
        assert answer["error"]["type"] == "gateway_error"
        assert isinstance(answer["error"]["code"], str)
    assert answer["error"]["message"]


FAULTS: list[tuple[behave.Behaviour, int, str, str, str]] = [
    (behave.status(429, Retry_After="7"), 429, "busy", "rate_limit_error", "RESOURCE_EXHAUSTED"),
    (behave.status(529), 529, "overloaded", "overloaded_error", "UNAVAILABLE"),
    (
        behave.status(503, b'{"error": {"message": "The model is overloaded."}}'),
        529,
        "overloaded",
        "overloaded_error",
        "UNAVAILABLE",
    ),
    (behave.status(500), 502, "server", "api_error", "INTERNAL"),
    (behave.status(401), 502, "key", "api_error", "INTERNAL"),
    (behave.status(403), 502, "key", "api_error", "INTERNAL"),
    (
        behave.status(403, b'{"error": {"message": "flagged by moderation", "code": 403}}'),
        400,
        "moderation",
        "invalid_request_error",
        "INVALID_ARGUMENT",
    ),
    (
        behave.status(400, b'{"error": {"code": "content_policy_violation"}}'),
        400,
        "moderation",
        "invalid_request_error",
        "INVALID_ARGUMENT",
    ),
    (behave.status(400), 400, "request", "invalid_request_error", "INVALID_ARGUMENT"),
]


@pytest.mark.parametrize("front", TALKERS)
def test_faults_of_the_provider(open_run: OpenRun, provider: Provider, front: str) -> None:
    run = open_run(NATIVE[front], attempts=1)
    provider.models = behave.raw(b"{}")
    for is_stream in (False, True):
        for behaviour, status, cause, kind, state in FAULTS:
            provider.default = behaviour
            talker = TALKERS[front](run, is_stream=is_stream)
            talker.say("x")
            answer = talker.ask()
            if cause == "overloaded" and front != "messages":
                status = 503
            assert talker.status == status, cause
            check_error(front, answer, status, kind, state)
            assert f"provider_{cause}" in json.dumps(answer)
            waits = {"busy": "7", "overloaded": "1"}
            assert run.headers.get("Retry-After") == waits.get(cause)
    totals = run.endpoint.close()
    assert totals.failed == 2 * len(FAULTS)
    assert totals.outage is None, "our own question was answered, so the key is good"


def test_an_overloaded_stream_of_anthropic(open_run: OpenRun, provider: Provider) -> None:
    run = open_run("anthropic")
    error = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
    provider.default = behave.stream(f"event: error\ndata: {json.dumps(error)}\n\n".encode())
    talker = TALKERS["messages"](run, is_stream=True)
    talker.say("x")
    path, body = talker.request()
    status, text = run.ask(path, body)
    assert status == 200
    last = json.loads(text.strip().split("\n")[-1].removeprefix("data: "))
    assert last["error"]["type"] == "overloaded_error"


def test_what_claude_code_sends(open_run: OpenRun, provider: Provider, model: Model) -> None:
    """The fields of its requests pass, but for `metadata`; a role `system` within messages, too."""
    run = open_run("anthropic", max_output_tokens=8000)
    model.script = [Reply("yes", thought="hm")]
    edits = [{"type": "clear_thinking_20251015", "keep": "all"}, {"type": "compact_20260112"}]
    body = {
        "model": "stand-in",
        "max_tokens": 32_000,
        "thinking": {"type": "enabled", "budget_tokens": 31_999},
        "system": [{"type": "text", "text": "s", "cache_control": {"type": "ephemeral"}}],
        "messages": [*SAID, {"role": "system", "content": "be quick"}],
        "metadata": {"user_id": "me"},
        "context_management": {"edits": edits},
        "output_config": {"effort": "high"},
        "tools": [{"name": "Bash", "input_schema": {"type": "object"}}],
        "stream": True,
    }
    betas = "claude-code-20250219,mid-conversation-system-2026-04-07,oauth-2025-04-20"
    headers = {"Authorization": f"Bearer {run.key}", "anthropic-beta": betas}
    status, text = run.ask(f"{MESSAGES}?beta=true", body, headers=headers)
    assert status == 200, text
    sent = provider.seen[0]
    assert sent["body"] == {
        **{name: value for name, value in body.items() if name != "metadata"},
        "max_tokens": 8000,
        "thinking": {"type": "enabled", "budget_tokens": 7999},
        "context_management": {"edits": edits[:1]},
    }
    assert dict(sent["headers"])["anthropic-beta"] == betas.rpartition(",")[0]
    (entry,) = run.entries("exchange")
    assert set(entry["removed"]) == {
        "metadata",
        "context_management.edits.compact_20260112",
        "anthropic-beta: oauth-2025-04-20",
    }
    assert entry["changed"] == {"max_tokens": 8000, "budget_tokens": 7999}
    assert [block["type"] for block in entry["response"]["content"]] == ["thinking", "text"]
    assert entry["response"]["content"][0]["signature"] == "c2ln"


def test_what_is_no_request_is_recorded_as_refused(run: Run) -> None:
    headers = {"Authorization": f"Bearer {run.key}", "Content-Length": str(1 << 31)}
    connection = UnixConnection(run.socket, 20)
    connection.request("POST", "/v1/messages", b"", headers)
    assert connection.getresponse().status == 413
    connection.close()
    (entry,) = run.entries("refused")
    assert entry["status"] == 413 and "bytes" in entry["reason"]


def test_an_unknown_price_is_never_zero(start: Start, gateway: Gateway) -> None:
    run = start(gateway(prices={}))
    assert run.ask()[0] == 200
    (entry,) = run.entries("exchange")
    assert entry["cost"] is None and entry["output_tokens"] == 20
    assert run.endpoint.close().cost is None


def test_is_anybody_there(run: Run, provider: Provider) -> None:
    assert run.ask("/", method="HEAD", headers={})[0] == 200
    assert run.ask("/", method="GET")[0] == 404
    for path in ("/v1/models", "/v1beta/models"):
        status, answer = run.ask(path, method="GET")
        assert (status, "stand-in" in json.dumps(answer)) == (200, True)
    assert provider.contacts == 0
