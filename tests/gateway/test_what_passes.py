"""G01 to G04, G10: only known routes, fields, tools and content reach the provider."""

from __future__ import annotations

import json
import socket
from typing import Any

import pytest

from mlebench.errors import UsageError
from mlebench.gateway.settings import GatewaySettings
from tests.gateway.conftest import KEY, Run, hello
from tests.gateway.provider import Provider

TARGETS = [
    "http://169.254.169.254/latest/meta-data",
    "//evil.example/v1/chat/completions",
    "/v1/../admin",
    "/v1/%2e%2e/admin",
    "/v1/chat/completions/",
    "/v1/chat%2fcompletions",
    "/V1/chat/completions",
    "/chat/completions",
    "/v1//chat/completions",
    "*",
]
OTHER_ENDPOINTS = [
    "/v1/files",
    "/v1/files/file-1/content",
    "/v1/responses/resp_1",
    "/v1/responses/resp_1/input_items",
    "/v1/chat/completions/chatcmpl-1",
    "/v1/conversations",
    "/v1/batches",
    "/v1/fine_tuning/jobs",
    "/v1/organization/usage",
    "/v1/organization/admin_api_keys",
    "/v1/vector_stores",
    "/v1/assistants",
    "/v1/threads",
    "/v1/containers",
    "/v1/embeddings",
    "/v1/images/generations",
    "/v1/audio/speech",
    "/v1/realtime/sessions",
    "/v1/models/stand-in",
    "/v1/messages/batches",
    "/v1/messages/count_tokens/x",
    "/v1/completions",
    "/v1beta/files",
    "/v1beta/cachedContents",
    "/v1beta/models/stand-in",
    "/v1beta/models/stand-in:embedContent",
    "/v1beta/models/stand-in:batchGenerateContent",
    "/v1beta/models/stand-in:predict",
    "/v1beta/tunedModels/stand-in:generateContent",
]
FIELDS = """api_base base_url api_key extra_headers extra_body extra_query user_config
organization custom_llm_provider service_tier prediction modalities audio web_search_options
best_of plugins provider route models transforms previous_response_id background conversation
prompt max_tool_calls mcp_servers container""".split()
REMOVED = "metadata safety_identifier prompt_cache_key client_metadata provider_options".split()
TOOLS: list[dict[str, Any]] = [
    {"type": "web_search"},
    {"type": "web_search_preview"},
    {"type": "web_search_20250305", "name": "web_search"},
    {"type": "web_fetch_20250910", "name": "web_fetch"},
    {"type": "code_interpreter", "container": {"type": "auto"}},
    {"type": "file_search", "vector_store_ids": ["vs_1"]},
    {"type": "mcp", "server_label": "x", "server_url": "https://evil.example"},
    {"type": "computer_use_preview"},
    {"type": "image_generation"},
    {"type": "local_shell"},
    {"type": "custom", "server_url": "https://evil.example", "name": "x"},
    {"type": "builtin_function", "function": {"name": "$web_search"}},
    {"googleSearch": {}},
    {"type": ["function"]},
    {"type": "function", "function": {"name": "f", "server_url": "https://evil.example"}},
    {"type": "function", "name": "f", "server_url": "https://evil.example"},
]
URL = "https://evil.example/?q=secret"
CHAT_PARTS: list[Any] = [
    {"type": "image_url", "image_url": {"url": URL}},
    {"type": "image_url", "image_url": URL},
    {"type": "image_url", "image_url": {"url": " data:image/png;base64,AA"}},
    {"type": "image_url", "image_url": {"url": "data:text/html,x"}},
    {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA", "source": URL}},
    {"type": "file", "file": {"file_id": "file-1"}},
    {"type": "file", "file": {"file_data": URL}},
    {"type": "input_audio", "input_audio": {"data": "AA", "format": "wav"}},
    {"type": "video_url", "video_url": {"url": URL}},
    {"type": "document", "source": {"type": "url", "url": URL}},
    {"type": "text", "text": "x", "image_url": {"url": URL}},
    {"type": ["text"], "text": "x"},
    "text",
]
RESPONSE_ITEMS: list[Any] = [
    {"role": "user", "content": [{"type": "input_image", "image_url": URL}]},
    {"role": "user", "content": [{"type": "input_image", "file_id": "file-1"}]},
    {"role": "user", "content": [{"type": "input_file", "file_url": URL}]},
    {"role": "user", "content": [{"type": "input_file", "file_id": "file-1"}]},
    {"type": "item_reference", "id": "msg_1"},
    {"type": "web_search_call", "id": "ws_1"},
    {"type": "mcp_approval_response", "approve": True},
    {"type": "mcp_list_tools", "server_label": "x"},
    {"type": "code_interpreter_call", "code": "x"},
    {
        "type": "function_call_output",
        "call_id": "1",
        "output": [{"type": "input_image", "image_url": URL}],
    },
    {"type": {"a": 1}},
]


def raw(run: Run, text: str) -> bytes:
    """Bytes to the endpoint, bytes back."""
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(20)
        client.connect(str(run.socket))
        client.sendall(text.encode())
        client.shutdown(socket.SHUT_WR)
        found = b""
        while data := client.recv(65536):
            found += data
        return found


def test_only_known_routes_exist(run: Run, provider: Provider) -> None:
    body = json.dumps(hello())
    head = f"Authorization: Bearer {run.key}\r\nContent-Length: {len(body)}\r\n"
    for target in TARGETS:
        for more in ("Host: localhost", "Host: evil.example\r\nX-Forwarded-Host: evil.example"):
            answer = raw(run, f"POST {target} HTTP/1.1\r\n{more}\r\n{head}\r\n{body}")
            assert answer.split(b" ", 2)[1] in (b"404", b"400"), target
    answer = raw(run, f"CONNECT evil.example:443 HTTP/1.1\r\nHost: x\r\n{head}\r\n{body}")
    assert answer.split(b" ", 2)[1] in (b"400", b"404")
    for path in OTHER_ENDPOINTS:
        for method in ("GET", "POST", "DELETE", "PATCH"):
            assert run.ask(path, method=method)[0] == 404, (method, path)
    for method in ("GET", "PUT", "DELETE"):
        assert run.ask("/v1/chat/completions", method=method)[0] == 404
    assert provider.contacts == 0


def test_fields_are_refused_by_their_name(run: Run, provider: Provider) -> None:
    for name in FIELDS:
        status, answer = run.ask(body=hello(**{name: "https://evil.example"}))
        assert (status, name in answer["error"]["message"]) == (400, True), name
        body = {"model": "stand-in", "input": "x", name: "https://evil.example"}
        status, answer = run.ask("/v1/responses", body)
        assert (status, name in answer["error"]["message"]) == (400, True), name
    assert run.ask(body=hello(store=True))[0] == 400
    assert run.ask("/v1/responses", {"model": "stand-in", "input": "x", "store": True})[0] == 400
    include = {"include": ["web_search_call.action.sources"]}
    assert run.ask("/v1/responses", {"model": "stand-in", "input": "x", **include})[0] == 400
    assert provider.contacts == 0
    assert len(run.entries("refused")) == 2 * len(FIELDS) + 3


def test_other_fields_are_removed_and_noted(run: Run, provider: Provider) -> None:
    message = {"role": "user", "content": "hi", "provider_specific_fields": {"a": 1}, "x": 1}
    body = hello(messages=[message], **dict.fromkeys(REMOVED, "x"))
    assert run.ask(body=body)[0] == 200
    more = {"model": "stand-in", "input": [{**message, "id": "m"}], "client_metadata": {"a": "b"}}
    assert run.ask("/v1/responses", more)[0] == 200
    chat, response = run.entries("exchange")
    inside = ["messages[].provider_specific_fields", "messages[].x"]
    assert sorted(chat["removed"]) == sorted(REMOVED + inside)
    assert chat["request"] == body, "the record has the request as the agent sent it"
    expected = {"input[].provider_specific_fields", "input[].x", "client_metadata"}
    assert set(response["removed"]) == expected
    first, second = (request["body"] for request in provider.seen)
    assert first == {"model": "stand-in", "messages": [{"role": "user", "content": "hi"}]}
    assert second["input"] == [{"role": "user", "content": "hi", "id": "m"}]
    assert set(second) == {"model", "input", "store"}


def test_custom_tools_and_their_items_pass(run: Run, provider: Provider) -> None:
    grammar = {"type": "grammar", "syntax": "lark", "definition": "start: /.+/"}
    tool = {"type": "custom", "name": "apply_patch", "description": "d", "format": grammar}
    call = {"type": "custom_tool_call", "call_id": "c", "name": "apply_patch", "input": "*** x"}
    result = {"type": "custom_tool_call_output", "call_id": "c", "output": "done"}
    body = {"model": "stand-in", "input": [call, result], "tools": [tool]}
    assert run.ask("/v1/responses", body)[0] == 200
    assert provider.seen[0]["body"] == body | {"store": False}
    assert "removed" not in run.entries("exchange")[0]


def test_tools_of_the_provider_are_refused(run: Run, provider: Provider) -> None:
    for tool in TOOLS[:-1]:
        assert run.ask(body=hello(tools=[tool]))[0] == 400, tool
    for tool in (*TOOLS[:-2], TOOLS[-1]):
        good = {"type": "function", "name": "g", "parameters": {}}
        body = {"model": "stand-in", "input": "x", "tools": [good, tool]}
        assert run.ask("/v1/responses", body)[0] == 400, tool
    for choice in ({"type": "web_search"}, {"type": "allowed_tools", "tools": []}, "web", 7):
        assert run.ask(body=hello(tool_choice=choice))[0] == 400, choice
    assert provider.contacts == 0


def test_nothing_is_fetched_for_an_agent(run: Run, provider: Provider) -> None:
    for part in CHAT_PARTS:
        for role in ("user", "assistant", "tool"):
            body = {"model": "stand-in", "messages": [{"role": role, "content": [part]}]}
            assert run.ask(body=body)[0] == 400, part
    for item in RESPONSE_ITEMS:
        body = {"model": "stand-in", "input": [{"role": "user", "content": "x"}, item]}
        assert run.ask("/v1/responses", body)[0] == 400, item
    for message in ({"role": "user", "content": "x", "audio": {"id": "a"}}, {"role": ["user"]}, 5):
        assert run.ask(body={"model": "stand-in", "messages": [message]})[0] == 400, message
    assert provider.contacts == 0


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"[]",
        b"null",
        b"{",
        b'{"model": "stand-in", "messages": [], "temperature": NaN}',
        b'{"model": "stand-in", "messages": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b'{"model": "stand-in", "messages": [' + b"[]," * 600_000 + b"[]]}",
        b'{"model": "stand-in", "seed": ' + b"9" * 10_000 + b"}",
        b'{"model": "stand-in", "messages": "x"}',
        b'{"model": "stand-in"}',
        b"\xff\xfe",
    ],
    ids=lambda body: body[:40].decode("latin-1") + str(len(body)),
)
def test_what_is_no_request_is_refused(run: Run, provider: Provider, body: bytes) -> None:
    status, answer = run.ask(body=body)
    assert status in (400, 413)
    assert "message" in answer["error"]
    assert provider.contacts == 0


def test_another_model_is_refused(run: Run, provider: Provider) -> None:
    for name in ("gpt-4o", "stand-in ", "STAND-IN", "openai/stand-in", "stand-in:online", None, 5):
        status, answer = run.ask(body=hello() | {"model": name})
        assert (status, answer["error"]["code"]) == (404, "model_not_found"), name
    assert provider.contacts == 0


@pytest.mark.parametrize(
    "model", ["gpt-4o-search-preview", "llama:online", "sonar-pro", "o3-deep-research"]
)
def test_models_that_search_are_refused_in_the_configuration(model: str) -> None:
    with pytest.raises(UsageError, match="searches the web"):
        GatewaySettings(model=model, base_url="https://api.openai.com/v1")


@pytest.mark.parametrize(
    "url", ["", "ftp://x", "https://user:pass@x/v1", "https://x/v1?key=1", "file:///etc", "x"]
)
def test_a_base_url_holds_no_secret(url: str) -> None:
    with pytest.raises(UsageError, match="base URL"):
        GatewaySettings(model="m", base_url=url)


def test_headers_are_built_anew(run: Run, provider: Provider) -> None:
    hostile = {
        "Authorization": f"Bearer {run.key}",
        "Connection": "authorization, keep-alive",
        "Cookie": "a=b",
        "TE": "trailers",
        "Openai-Organization": "org-other",
        "Openai-Project": "proj",
        "X-Api-Key": "x",
        "X-Forwarded-For": "1.2.3.4",
        "Accept-Encoding": "gzip, br",
        "User-Agent": "agent",
    }
    assert run.ask(headers=hostile)[0] == 200
    (seen,) = provider.seen
    names = sorted(name.lower() for name, _ in seen["headers"])
    expected = "accept accept-encoding authorization content-length content-type host user-agent"
    assert names == expected.split()
    headers = dict(seen["headers"])
    assert headers["Authorization"] == f"Bearer {KEY}"
    assert (headers["User-Agent"], headers["Accept-Encoding"]) == ("mlebench", "identity")
    assert set(run.headers) == {"Content-Type", "Content-Length", "X-Content-Type-Options"}


def test_doubled_and_broken_headers_are_refused(run: Run, provider: Provider) -> None:
    body = json.dumps(hello())
    start = "POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\n"
    length = f"Content-Length: {len(body)}\r\n"
    key = f"Authorization: Bearer {run.key}\r\n"
    for head in (
        start + length + key + key,
        start + length + key + "Transfer-Encoding: chunked\r\n",
        start + length + "Content-Length: 5\r\n" + key,
        start + length + key + "Content-Encoding: gzip\r\n",
        start + length + f"Authorization: Bearer {run.key}\rX: y\r\n",
        start + length + f" Authorization: Bearer {run.key}\r\n",
    ):
        answer = raw(run, f"{head}\r\n{body}")
        assert answer.split(b" ", 2)[1] in (b"400", b"401", b"411", b"415"), head
    assert provider.contacts == 0
