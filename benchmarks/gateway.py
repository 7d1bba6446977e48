"""What the gateway adds to a call, and how many streams it holds.

Budget: at the median 5 ms more than the same call straight to the provider, a stand-in on loopback
in a process of its own, in the quietest of five rounds; 200 streams at once, all held and whole.
"""

from __future__ import annotations

import asyncio
import http.client
import json
import socket
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from multiprocessing import Pipe, Process
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import httpx

from mlebench.gateway.client import open_endpoint, start_gateway
from mlebench.gateway.control import EndpointRequest
from mlebench.gateway.settings import Budget, GatewaySettings

ROUNDS = 5
CALLS = 60
STREAMS = 200
WORDS = 40
PAUSE = 0.05
BUDGET_MS = 5.0
KEY = "sk-benchmark-0123456789"
BODY = {"model": "stand-in", "messages": [{"role": "user", "content": "word " * 500}]}
USAGE = {"prompt_tokens": 500, "completion_tokens": WORDS, "total_tokens": 500 + WORDS}


Answer = Callable[[str, dict[str, Any]], dict[str, Any] | list[str]]


async def provide(
    answer: Answer, pause: float, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    """A provider that answers at once, or streams a list of texts with a pause after each."""
    try:
        while True:
            first, *lines = (await reader.readuntil(b"\r\n\r\n")).split(b"\r\n")
            length = next(
                int(line.split(b":")[1])
                for line in lines
                if line.lower().startswith(b"content-length")
            )
            body = json.loads(await reader.readexactly(length))
            found = answer(first.split(b" ")[1].decode(), body)
            if isinstance(found, list):
                await _stream(writer, found, pause)
                continue
            text = json.dumps(found).encode()
            kind = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: "
            writer.write(kind + str(len(text)).encode() + b"\r\n\r\n" + text)
    except (asyncio.IncompleteReadError, ConnectionError):
        writer.close()


async def _stream(writer: asyncio.StreamWriter, texts: list[str], pause: float) -> None:
    kind = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked"
    writer.write(kind + b"\r\n\r\n")
    for text in texts:
        data = f"data: {text}\n\n".encode()
        writer.write(b"%x\r\n%b\r\n" % (len(data), data))
        await writer.drain()
        await asyncio.sleep(pause)
    writer.write(b"0\r\n\r\n")


def answer_chat(path: str, body: dict[str, Any]) -> dict[str, Any] | list[str]:
    if not body.get("stream"):
        choice = {"index": 0, "message": {"role": "assistant", "content": "x" * 2000}}
        return {"model": "stand-in", "choices": [choice], "usage": USAGE}
    pieces = []
    for number in range(WORDS):
        choice = {"index": 0, "delta": {"content": f"{number} "}, "finish_reason": None}
        pieces.append(json.dumps({"choices": [choice]}))
    return [*pieces, json.dumps({"choices": [], "usage": USAGE}), "[DONE]"]


class EndpointConnection(http.client.HTTPConnection):
    """A light client over a port or a run's endpoint; its own time hardly counts."""

    def __init__(self, port: int = 0, endpoint: Path | None = None) -> None:
        super().__init__("127.0.0.1", port, timeout=60)
        self.endpoint = endpoint

    def connect(self) -> None:
        if self.endpoint is None:
            super().connect()
            return
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(str(self.endpoint))


class Caller(EndpointConnection):
    """Calls one route again and again."""

    def latency(self, key: str) -> float:
        """Milliseconds of one call."""
        start = time.perf_counter()
        headers = {"Authorization": f"Bearer {key}"}
        self.request("POST", "/v1/chat/completions", json.dumps(BODY), headers)
        reply = self.getresponse()
        reply.read()
        if reply.status != 200:
            raise SystemExit(f"status {reply.status}")
        return (time.perf_counter() - start) * 1000


async def stream(client: httpx.AsyncClient, key: str) -> bool:
    """Whether a stream came whole."""
    headers = {"Authorization": f"Bearer {key}"}
    body = BODY | {"stream": True}
    text = ""
    async with client.stream("POST", "/chat/completions", json=body, headers=headers) as reply:
        async for line in reply.aiter_text():
            text += line
    return text.count("data: ") == WORDS + 1 and text.endswith("data: [DONE]\n\n")


def measure(port: int, folder: Path) -> int:
    endpoint = folder / "gateway.sock"
    settings = GatewaySettings(
        model="stand-in",
        base_url=f"http://127.0.0.1:{port}/v1",
        group_budget=Budget(calls=10**6, tokens=10**12),
        max_in_flight=STREAMS,
    )
    request = EndpointRequest("run", str(endpoint), str(folder / "trajectory.jsonl"))
    with (
        start_gateway(settings, KEY, folder / "budget.jsonl") as control,
        open_endpoint(control, "stand-in", request) as opened,
    ):
        key = opened.environment["OPENAI_API_KEY"]
        added = compare(Caller(port=port), Caller(endpoint=endpoint), key)
        whole = asyncio.run(hold(endpoint, key))
    return 0 if added < BUDGET_MS and whole == STREAMS else 1


def compare(straight: Caller, through: Caller, key: str) -> float:
    differences = []
    for _ in range(ROUNDS):
        direct, passed = [], []
        for _ in range(CALLS):
            direct.append(straight.latency(key))
            passed.append(through.latency(key))
        one, other = statistics.median(direct), statistics.median(passed)
        differences.append(other - one)
        print(f"straight {one:.2f} ms, through {other:.2f} ms")
    print(f"added at the median: {min(differences):.2f} ms (budget {BUDGET_MS})")
    return min(differences)


async def hold(endpoint: Path, key: str) -> int:
    """How many of the streams came whole."""
    limits = httpx.Limits(max_connections=1000)
    transport = httpx.AsyncHTTPTransport(uds=str(endpoint), trust_env=False, limits=limits)
    start = time.perf_counter()
    async with httpx.AsyncClient(
        base_url="http://localhost/v1", transport=transport, timeout=120, trust_env=False
    ) as client:
        whole = sum(await asyncio.gather(*(stream(client, key) for _ in range(STREAMS))))
    seconds = time.perf_counter() - start
    print(f"streams: {whole} of {STREAMS} whole in {seconds:.1f} s, {WORDS * PAUSE:.1f} s each")
    return whole


async def serve(pipe: Connection, answer: Answer, pause: float) -> None:
    talk = partial(provide, answer, pause)
    server = await asyncio.start_server(talk, "127.0.0.1", 0, backlog=512)
    pipe.send(server.sockets[0].getsockname()[1])
    await server.serve_forever()


def serve_provider(pipe: Connection, answer: Answer, pause: float) -> None:
    asyncio.run(serve(pipe, answer, pause))


@contextmanager
def provider_process(answer: Answer, pause: float) -> Iterator[int]:
    """A stand-in provider in a process of its own; yields its port."""
    here, there = Pipe()
    provider = Process(target=serve_provider, args=(there, answer, pause), daemon=True)
    provider.start()
    try:
        yield here.recv()
    finally:
        provider.terminate()


def main() -> int:
    with provider_process(answer_chat, PAUSE) as port, tempfile.TemporaryDirectory() as folder:
        return measure(port, Path(folder))


if __name__ == "__main__":
    sys.exit(main())
