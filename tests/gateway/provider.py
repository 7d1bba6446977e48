"""A stand-in provider on loopback: answers as OpenAI does, or as badly as it is told to.

The first user message may ask for behaviour: `say TEXT`, `status 429 3 times`, `echo` and so on;
`provider.plan` overrides it for the next requests.
"""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

KEY = f"sk-proj-Canary0123456789abcdefREALKEY{os.getpid():08}"
"""Of this process alone: other ones that run tests have keys in the variables of their children."""

Behaviour = Callable[["Handler", dict[str, Any]], None]


class Provider(ThreadingHTTPServer):
    """Counts what reaches it and keeps every request."""

    daemon_threads = True
    request_queue_size = 512

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.lock = threading.Lock()
        self.reset()
        self.thread = threading.Thread(
            target=self.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        )

    def reset(self) -> None:
        """As in the beginning."""
        self.plan: list[Behaviour] = []
        """What to do with the next requests; after them, answer well."""

        self.default: Behaviour = answer
        self.models: Behaviour | None = None
        """What to do with the gateway's own question for models; None means as by default."""

        self.seen: list[dict[str, Any]] = []
        self.contacts = 0
        """New connections, and requests over old ones."""

    def __enter__(self) -> Provider:
        self.thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.shutdown()
        self.server_close()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients that leave are part of the play."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    server: Provider

    def setup(self) -> None:
        super().setup()
        self._count()

    def _count(self) -> None:
        with self.server.lock:
            self.server.contacts += 1

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def do_GET(self) -> None:
        if self.path == "/v1/models":
            self._count()
            (self.server.models or self.server.default)(self, {})
        else:
            self.do_POST()

    def do_POST(self) -> None:
        text = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        body = json.loads(text) if text else {}
        self._count()
        with self.server.lock:
            self.server.seen.append(
                {"path": self.path, "headers": list(self.headers.items()), "body": body}
            )
            behaviour = self.server.plan.pop(0) if self.server.plan else self.server.default
        behaviour(self, body)

    def send_whole(self, status: int, data: bytes, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        kinds = {"Content-Type": "application/json", **(headers or {})}
        for name, value in kinds.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def begin_stream(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()

    def piece(self, data: bytes) -> None:
        self.wfile.write(b"%x\r\n%b\r\n" % (len(data), data))
        self.wfile.flush()

    def end_stream(self) -> None:
        self.wfile.write(b"0\r\n\r\n")

    def cut(self) -> None:
        """Break the connection off."""
        self.close_connection = True
        self.wfile.flush()
        self.connection.shutdown(2)


USAGE = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}


def completion(text: str, model: str = "stand-in", **message: Any) -> dict[str, Any]:
    choice = {
        "index": 0,
        "message": {"role": "assistant", "content": text, **message},
        "finish_reason": "stop",
    }
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": model,
        "choices": [choice],
        "usage": USAGE,
    }


def response(text: str, model: str = "stand-in") -> dict[str, Any]:
    part = {"type": "output_text", "text": text, "annotations": []}
    return {
        "id": "resp_1",
        "object": "response",
        "status": "completed",
        "model": model,
        "output": [{"type": "message", "role": "assistant", "id": "m", "content": [part]}],
        "usage": {"input_tokens": 100, "output_tokens": 20, "total_tokens": 120},
    }


def events_of(text: str, model: str = "stand-in", *, usage: bool = True) -> list[bytes]:
    """A chat answer in pieces of a word."""
    found = []
    for word in text.split(" "):
        choice = {"index": 0, "delta": {"content": word + " "}, "finish_reason": None}
        found.append({"model": model, "choices": [choice]})
    end = {"index": 0, "delta": {}, "finish_reason": "stop"}
    found.append({"model": model, "choices": [end]})
    if usage:
        found.append({"model": model, "choices": [], "usage": USAGE})
    return [f"data: {json.dumps(piece)}\n\n".encode() for piece in found] + [b"data: [DONE]\n\n"]


def answer(handler: Handler, body: dict[str, Any]) -> None:
    """As a provider should."""
    model = body.get("model", "?")
    text = "one two three four five"
    if handler.path.endswith("/responses"):
        whole = response(text, model)
        if not body.get("stream"):
            handler.send_whole(200, json.dumps(whole).encode())
            return
        pieces = []
        for kind in ("response.created", "response.completed"):
            data = json.dumps({"type": kind, "response": whole})
            pieces.append(f"event: {kind}\ndata: {data}\n\n".encode())
    elif not body.get("stream"):
        handler.send_whole(200, json.dumps(completion(text, model)).encode())
        return
    else:
        usage = (body.get("stream_options") or {}).get("include_usage", False)
        pieces = events_of(text, model, usage=usage)
    handler.begin_stream()
    for piece in pieces:
        handler.piece(piece)
    handler.end_stream()


def status(code: int, body: bytes = b'{"error": {"message": "no"}}', **headers: str) -> Behaviour:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda handler, _: handler.send_whole(code, body, named)


def raw(body: bytes, content_type: str = "application/json") -> Behaviour:
    return lambda handler, _: handler.send_whole(200, body, {"Content-Type": content_type})


def half_a_stream(handler: Handler, body: dict[str, Any]) -> None:
    handler.begin_stream()
    handler.piece(events_of("one two")[0])
    handler.cut()


def half_an_answer(handler: Handler, body: dict[str, Any]) -> None:
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"id": ')
    handler.cut()


def stream(*pieces: bytes) -> Behaviour:
    def behave(handler: Handler, body: dict[str, Any]) -> None:
        handler.begin_stream()
        for piece in pieces:
            handler.piece(piece)
        handler.end_stream()

    return behave


def slow_stream(count: int, seconds: float) -> Behaviour:
    def behave(handler: Handler, body: dict[str, Any]) -> None:
        handler.begin_stream()
        for piece in events_of(" ".join(["word"] * count)):
            handler.piece(piece)
            time.sleep(seconds)
        handler.end_stream()

    return behave


def nothing(seconds: float = 30) -> Behaviour:
    return lambda handler, _: time.sleep(seconds)


def echo(handler: Handler, body: dict[str, Any]) -> None:
    """Everything that came, back in an answer and its headers."""
    text = json.dumps(dict(handler.headers.items()))
    key = handler.headers.get("Authorization", "")
    whole = completion(text) | {"debug": {"key": key, "tail": key[-8:]}}
    headers = {"X-Echo": key, "Set-Cookie": f"key={key.split()[-1] if key else ''}"}
    handler.send_whole(200, json.dumps(whole).encode(), headers)
