"""A stand-in provider on this machine: a scripted model behind OpenAI's two protocols.

It serves chat completions and responses, streamed and whole, so that the gateway in front of it
works as with a provider on the internet.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from mlebench.trials.script import OfferedTool, ScriptedReply, reply_to, text_of

INPUT_TOKENS, OUTPUT_TOKENS = 100, 20
"""The tokens of every answer, so that the gateway's totals can be checked."""

TOTAL = {"total_tokens": INPUT_TOKENS + OUTPUT_TOKENS}
CHAT_USAGE = {"prompt_tokens": INPUT_TOKENS, "completion_tokens": OUTPUT_TOKENS, **TOTAL}
RESPONSE_USAGE = {"input_tokens": INPUT_TOKENS, "output_tokens": OUTPUT_TOKENS, **TOTAL}


class ScriptedProvider(ThreadingHTTPServer):
    """Serves while it is open, on a free port of the loopback interface."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self._thread = threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True)

    def __enter__(self) -> ScriptedProvider:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.shutdown()
        self.server_close()
        self._thread.join()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore broken connections: an agent that was stopped leaves them."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


class _Handler(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing is logged; the gateway records every exchange."""

    def do_GET(self) -> None:
        model = {"id": "scripted", "object": "model", "created": 1, "owned_by": "mlebench"}
        self._send({"object": "list", "data": [model]})

    def do_POST(self) -> None:
        data = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        try:
            body = json.loads(data)
            is_chat = self.path.endswith("/chat/completions")
            events = list(chat_events(body) if is_chat else response_events(body))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            self._send({"error": {"message": f"not understood: {error!r}"}}, status=400)
            return
        if body.get("stream"):
            self._stream(events, is_chat=is_chat)
        else:
            self._send(whole_chat(body) if is_chat else events[-1]["response"])

    def _send(self, whole: dict[str, Any], status: int = 200) -> None:
        data = json.dumps(whole).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _stream(self, events: list[dict[str, Any]], *, is_chat: bool) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for event in events:
            head = "" if is_chat else f"event: {event['type']}\n"
            self._piece(f"{head}data: {json.dumps(event)}\n\n")
        if is_chat:
            self._piece("data: [DONE]\n\n")
        self.wfile.write(b"0\r\n\r\n")

    def _piece(self, text: str) -> None:
        data = text.encode()
        self.wfile.write(b"%x\r\n%b\r\n" % (len(data), data))
        self.wfile.flush()


def chat_reply(body: dict[str, Any]) -> ScriptedReply:
    """The answer to a request for a chat completion."""
    tools = [
        OfferedTool(tool["function"]["name"], tool["function"].get("parameters") or {})
        for tool in body.get("tools") or ()
        if tool.get("type") == "function"
    ]
    messages = body["messages"]
    called = [
        call["function"]["name"] for message in messages for call in message.get("tool_calls") or ()
    ]
    return reply_to(tools, text_of([message.get("content") or "" for message in messages]), called)


def whole_chat(body: dict[str, Any]) -> dict[str, Any]:
    reply = chat_reply(body)
    message: dict[str, Any] = {"role": "assistant", "content": reply.text}
    if reply.tool:
        message["tool_calls"] = [_chat_call(reply, body)]
    choice = {"index": 0, "message": message, "finish_reason": _reason(reply)}
    return _chat(body, "chat.completion") | {"choices": [choice], "usage": CHAT_USAGE}


def chat_events(body: dict[str, Any]) -> Iterator[dict[str, Any]]:
    reply, head = chat_reply(body), _chat(body, "chat.completion.chunk")
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": reply.text}]
    if reply.tool:
        deltas.append({"tool_calls": [{"index": 0, **_chat_call(reply, body)}]})
    for delta in deltas:
        yield head | {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
    yield head | {"choices": [{"index": 0, "delta": {}, "finish_reason": _reason(reply)}]}
    if (body.get("stream_options") or {}).get("include_usage"):
        yield head | {"choices": [], "usage": CHAT_USAGE}


def _chat(body: dict[str, Any], kind: str) -> dict[str, Any]:
    return {"id": "chatcmpl-1", "object": kind, "created": 1, "model": body["model"]}


def _chat_call(reply: ScriptedReply, body: dict[str, Any]) -> dict[str, Any]:
    function = {"name": reply.tool, "arguments": json.dumps(reply.arguments)}
    number = len(body["messages"])
    return {"id": f"call_{number}", "type": "function", "function": function}


def _reason(reply: ScriptedReply) -> str:
    return "tool_calls" if reply.tool else "stop"


def response_events(body: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The events of an answer in the protocol of responses; the last one contains all of it."""
    tools = [
        OfferedTool(tool["name"], tool.get("parameters") or {})
        for tool in _flat_tools(body.get("tools") or ())
        if tool.get("type") == "function"
    ]
    items = body["input"] if isinstance(body["input"], list) else [{"content": body["input"]}]
    called = [_qualified(item) for item in items if item.get("type") == "function_call"]
    said = text_of([item.get("content") or item.get("output") or "" for item in items])
    reply = reply_to(tools, f"{body.get('instructions') or ''}\n{said}", called)
    item = _item(reply, len(items))
    answer: dict[str, Any] = {"id": f"resp_{len(items)}", "object": "response", "created_at": 1}
    answer |= {"model": body["model"], "status": "in_progress", "output": []}
    number = iter(range(1000))
    yield {"type": "response.created", "sequence_number": next(number), "response": answer}
    empty: dict[str, Any] = {"arguments": ""} if reply.tool else {"content": []}
    yield _output("response.output_item.added", next(number), item=item | empty)
    kind = "function_call_arguments" if reply.tool else "output_text"
    text = item["arguments"] if reply.tool else reply.text
    place = {"item_id": item["id"]} | ({} if reply.tool else {"content_index": 0})
    yield _output(f"response.{kind}.delta", next(number), **place, delta=text)
    final = {"arguments": text} if reply.tool else {"text": text}
    yield _output(f"response.{kind}.done", next(number), **place, **final)
    yield _output("response.output_item.done", next(number), item=item)
    answer = answer | {"status": "completed", "output": [item], "usage": RESPONSE_USAGE}
    yield {"type": "response.completed", "sequence_number": next(number), "response": answer}


def _flat_tools(tools: Any) -> Iterator[dict[str, Any]]:
    """Tools of a namespace under the name with which they are called."""
    for tool in tools:
        if tool.get("type") == "namespace":
            for inner in tool.get("tools") or ():
                yield inner | {"name": f"{tool['name']}::{inner['name']}"}
        else:
            yield tool


def _qualified(item: dict[str, Any]) -> str:
    return f"{item['namespace']}::{item['name']}" if item.get("namespace") else item["name"]


def _item(reply: ScriptedReply, number: int) -> dict[str, Any]:
    if reply.tool:
        namespace, _, name = reply.tool.rpartition("::")
        item = {"type": "function_call", "id": f"fc_{number}", "call_id": f"call_{number}"}
        item |= {"name": name, "arguments": json.dumps(reply.arguments), "status": "completed"}
        return item | ({"namespace": namespace} if namespace else {})
    part = {"type": "output_text", "text": reply.text, "annotations": []}
    item = {"type": "message", "id": f"msg_{number}", "role": "assistant", "status": "completed"}
    return {**item, "content": [part]}


def _output(kind: str, number: int, **facts: Any) -> dict[str, Any]:
    return {"type": kind, "sequence_number": number, "output_index": 0, **facts}
