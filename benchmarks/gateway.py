"""What the gateway adds to a call, and how many streams it holds.

Budget: at the median 5 ms more than the same call straight to the provider, a stand-in on loopback
in a process of its own, in the quietest of five rounds; 200 streams at once, all held and whole.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import sys
import tempfile
import time
from multiprocessing import Pipe, Process
from multiprocessing.connection import Connection
from pathlib import Path

import httpx

from mlebench.gateway.door import open_door, start_gateway
from mlebench.gateway.settings import Budget, GatewaySettings

ROUNDS = 5
CALLS = 60
STREAMS = 200
WORDS = 40
BUDGET_MS = 5.0
KEY = "sk-benchmark-0123456789"
BODY = {"model": "stand-in", "messages": [{"role": "user", "content": "word " * 500}]}
USAGE = {"prompt_tokens": 500, "completion_tokens": WORDS, "total_tokens": 500 + WORDS}


async def provide(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """A provider that answers at once, or streams a word every 50 ms."""
    try:
        while True:
            head = await reader.readuntil(b"\r\n\r\n")
            length = next(
                int(line.split(b":")[1])
                for line in head.split(b"\r\n")
                if line.lower().startswith(b"content-length")
            )
            body = json.loads(await reader.readexactly(length))
            if body.get("stream"):
                await _stream(writer)
                continue
            choice = {"index": 0, "message": {"role": "assistant", "content": "x" * 2000}}
            text = json.dumps({"model": "stand-in", "choices": [choice], "usage": USAGE}).encode()
            kind = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: "
            writer.write(kind + str(len(text)).encode() + b"\r\n\r\n" + text)
    except (asyncio.IncompleteReadError, ConnectionError):
        writer.close()


async def _stream(writer: asyncio.StreamWriter) -> None:
    kind = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked"
    writer.write(kind + b"\r\n\r\n")
    pieces: list[str] = []
    for number in range(WORDS):
        choice = {"index": 0, "delta": {"content": f"{number} "}, "finish_reason": None}
        pieces.append(json.dumps({"choices": [choice]}))
    pieces += [json.dumps({"choices": [], "usage": USAGE}), "[DONE]"]
    for piece in pieces:
        data = f"data: {piece}\n\n".encode()
        writer.write(b"%x\r\n%b\r\n" % (len(data), data))
        await writer.drain()
        await asyncio.sleep(0.05)
    writer.write(b"0\r\n\r\n")


async def latency(client: httpx.AsyncClient, key: str) -> float:
    """Milliseconds of one call."""
    start = time.perf_counter()
    headers = {"Authorization": f"Bearer {key}"}
    reply = await client.post("/chat/completions", json=BODY, headers=headers)
    reply.raise_for_status()
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


def client(url: str, door: Path | None = None) -> httpx.AsyncClient:
    transport = httpx.AsyncHTTPTransport(
        uds=str(door) if door else None,
        trust_env=False,
        limits=httpx.Limits(max_connections=1000, max_keepalive_connections=1000),
    )
    return httpx.AsyncClient(base_url=url, transport=transport, timeout=120, trust_env=False)


async def measure(url: str, folder: Path) -> int:
    settings = GatewaySettings(
        model="stand-in",
        base_url=url,
        group_budget=Budget(calls=10**6, tokens=10**12),
        max_in_flight=STREAMS,
    )
    with start_gateway(settings, KEY, folder / "budget.jsonl") as control:
        wanted = {
            "run_id": "run",
            "socket": str(folder / "gateway.sock"),
            "trajectory": str(folder / "trajectory.jsonl"),
        }
        with open_door(control, "stand-in", wanted) as door:
            key = door.environment["OPENAI_API_KEY"]
            async with (
                client(url) as straight,
                client("http://localhost/v1", folder / "gateway.sock") as through,
            ):
                return await _compare(straight, through, key)


async def _compare(straight: httpx.AsyncClient, through: httpx.AsyncClient, key: str) -> int:
    differences = []
    for _ in range(ROUNDS):
        direct, passed = [], []
        for _ in range(CALLS):
            direct.append(await latency(straight, key))
            passed.append(await latency(through, key))
        one, other = statistics.median(direct), statistics.median(passed)
        differences.append(other - one)
        print(f"straight {one:.2f} ms, through {other:.2f} ms")
    added = min(differences)
    print(f"added at the median: {added:.2f} ms (budget {BUDGET_MS})")
    start = time.perf_counter()
    whole = await asyncio.gather(*(stream(through, key) for _ in range(STREAMS)))
    seconds = time.perf_counter() - start
    print(f"streams: {sum(whole)} of {STREAMS} whole in {seconds:.1f} s, {WORDS * 0.05:.1f} s each")
    return 0 if added < BUDGET_MS and all(whole) else 1


async def serve(pipe: Connection) -> None:
    server = await asyncio.start_server(provide, "127.0.0.1", 0, backlog=512)
    pipe.send(server.sockets[0].getsockname()[1])
    await server.serve_forever()


def serve_provider(pipe: Connection) -> None:
    asyncio.run(serve(pipe))


def main() -> int:
    here, there = Pipe()
    provider = Process(target=serve_provider, args=(there,), daemon=True)
    provider.start()
    url = f"http://127.0.0.1:{here.recv()}/v1"
    with tempfile.TemporaryDirectory() as folder:
        status = asyncio.run(measure(url, Path(folder)))
    provider.terminate()
    return status


if __name__ == "__main__":
    sys.exit(main())
