"""What the gateway adds to a call in each protocol, compared with the chat route of another commit.

Targets: at the median at most 1.5 times what the chat route of the yardstick adds, and the first
token of a stream at most 5 ms later than straight from the provider. Both gateways run at the same
time against the same stand-in, and their calls alternate; the quietest of the rounds counts. On a
busy machine only the column `cpu` says something: the processor time of the gateway for a call,
as a multiple of the yardstick's.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import statistics
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import psutil

from gateway import EndpointConnection, provider_process
from mlebench.gateway.client import open_endpoint, start_gateway
from mlebench.gateway.control import EndpointRequest
from mlebench.gateway.settings import Budget, GatewaySettings, ProviderApi

YARDSTICK = "343a170"
ROUNDS = 3
CALLS = 20
CPU_CALLS = 200
MOST_RATIO = 1.5
MOST_FIRST_MS = 5.0
KEY = "sk-benchmark-0123456789"
WORDS = "word " * 500
SAID = "x" * 2000
PIECES = 20


@dataclass(frozen=True)
class Case:
    """A protocol in front and a provider behind."""

    front: str
    api: ProviderApi

    @property
    def straight(self) -> str:
        """The protocol in which the provider is asked."""
        return self.front if self.front == "responses" and self.api == "openai" else BACK[self.api]


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


GEMINI = {"contents": [{"role": "user", "parts": [{"text": WORDS}]}]}
PATHS: dict[str, tuple[str, dict[str, Any]]] = {
    "chat": ("/v1/chat/completions", {"model": "m", "messages": [user(WORDS)]}),
    "responses": ("/v1/responses", {"model": "m", "input": [user(WORDS)], "store": False}),
    "messages": ("/v1/messages", {"model": "m", "messages": [user(WORDS)], "max_tokens": 4000}),
    "gemini": ("/v1beta/models/m:generateContent", GEMINI),
}
PAIRS = [
    ("chat", "openai"),
    ("responses", "openai"),
    ("messages", "anthropic"),
    ("gemini", "gemini"),
    ("messages", "openai"),
    ("gemini", "openai"),
    ("responses", "openai-chat"),
    ("chat", "anthropic"),
    ("chat", "gemini"),
]
BACK = {"openai": "chat", "openai-chat": "chat", "anthropic": "messages", "gemini": "gemini"}
CASES = [Case(front, api) for front, api in PAIRS]


def whole_answer(path: str) -> dict[str, Any]:
    usage = {"input_tokens": 500, "output_tokens": 20, "total_tokens": 520}
    if "/responses" in path:
        part = {"type": "output_text", "text": SAID, "annotations": []}
        item = {"type": "message", "id": "i", "role": "assistant", "content": [part]}
        return {"id": "r", "status": "completed", "model": "m", "output": [item], "usage": usage}
    if "/messages" in path:
        facts = {"id": "m", "type": "message", "role": "assistant", "model": "m"}
        content = [{"type": "text", "text": SAID}]
        return {**facts, "content": content, "stop_reason": "end_turn", "usage": usage}
    if "Content" in path:
        return gemini_piece(SAID, is_last=True)
    choice = {"index": 0, "message": {"role": "assistant", "content": SAID}}
    counts = {"prompt_tokens": 500, "completion_tokens": 20, "total_tokens": 520}
    choice["finish_reason"] = "stop"
    return {"id": "c", "model": "m", "choices": [choice], "usage": counts}


def gemini_piece(text: str, *, is_last: bool = False) -> dict[str, Any]:
    candidate: dict[str, Any] = {"content": {"role": "model", "parts": [{"text": text}]}}
    if is_last:
        candidate["finishReason"] = "STOP"
    counts = {"promptTokenCount": 500, "candidatesTokenCount": 20, "totalTokenCount": 520}
    return {"candidates": [candidate], "usageMetadata": counts, "modelVersion": "m"}


def streamed_answer(path: str) -> list[str]:
    """The events of a stream as texts; the first token is in the first ones."""
    if "Content" in path:
        pieces: list[Any] = [gemini_piece("word ", is_last=n == PIECES) for n in range(PIECES + 1)]
        return [json.dumps(piece) for piece in pieces]
    whole = whole_answer(path)
    if "/messages" in path:
        block = {"type": "text", "text": ""}
        delta = {"type": "text_delta", "text": "word "}
        pieces = [
            {"type": "message_start", "message": whole | {"content": []}},
            {"type": "content_block_start", "index": 0, "content_block": block},
            *({"type": "content_block_delta", "index": 0, "delta": delta} for _ in range(PIECES)),
            {"type": "content_block_stop", "index": 0},
            {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {}},
            {"type": "message_stop"},
        ]
    elif "/responses" in path:
        where = {"output_index": 0, "content_index": 0, "item_id": "i"}
        delta = {"type": "response.output_text.delta", **where, "delta": "word "}
        pieces = [{"type": "response.created", "response": whole}, *[delta] * PIECES]
        pieces.append({"type": "response.completed", "response": whole})
    else:
        choice = {"index": 0, "delta": {"content": "word "}, "finish_reason": None}
        end = {"index": 0, "delta": {}, "finish_reason": "stop"}
        pieces = [*[{"choices": [choice]}] * PIECES, {"choices": [end]}]
        pieces.append({"choices": [], "usage": whole["usage"]})
        return [*(json.dumps(piece) for piece in pieces), "[DONE]"]
    return [json.dumps(piece) for piece in pieces]


def answer(path: str, body: dict[str, Any]) -> dict[str, Any] | list[str]:
    is_streamed = body.get("stream") or "stream" in path
    return streamed_answer(path) if is_streamed else whole_answer(path)


class Caller(EndpointConnection):
    """Calls straight or through a gateway, in any protocol."""

    def __init__(self, key: str, port: int = 0, endpoint: Path | None = None) -> None:
        super().__init__(port, endpoint)
        self.key = key
        self.processes: list[psutil.Process] = []
        """Of the gateway behind the endpoint."""

    def whole(self, protocol: str) -> float:
        """Milliseconds of one call."""
        start = time.perf_counter()
        self._send(*PATHS[protocol]).read()
        return (time.perf_counter() - start) * 1000

    def cpu(self, protocol: str) -> float:
        """Milliseconds of processor time that the gateway takes for a call."""
        self.close()  # it may have been idle for longer than servers wait
        before = self._used()
        for _ in range(CPU_CALLS):
            self._send(*PATHS[protocol]).read()
        return (self._used() - before) * 1000 / CPU_CALLS

    def _used(self) -> float:
        times = [process.cpu_times() for process in self.processes]
        return sum(one.user + one.system for one in times)

    def first(self, protocol: str) -> float:
        """Milliseconds to the first token of a stream."""
        path, body = PATHS[protocol]
        if protocol == "gemini":
            path = path.replace(":generate", ":streamGenerate") + "?alt=sse"
        else:
            body = body | {"stream": True}
        start = time.perf_counter()
        reply = self._send(path, body)
        while b"word " not in reply.readline():
            pass
        elapsed = (time.perf_counter() - start) * 1000
        reply.read()
        return elapsed

    def _send(self, path: str, body: dict[str, Any]) -> http.client.HTTPResponse:
        headers = {"Authorization": f"Bearer {self.key}"}
        self.request("POST", path, json.dumps(body), headers)
        reply = self.getresponse()
        if reply.status != 200:
            raise SystemExit(f"{path}: status {reply.status}: {reply.read()[:500]!r}")
        return reply


@contextmanager
def gateway(port: int, api: ProviderApi, source: Path | None = None) -> Iterator[Caller]:
    """A gateway of this or of an earlier version, and a client of it."""
    version = "/v1beta" if api == "gemini" else "/v1"
    settings = GatewaySettings(
        model="m",
        base_url=f"http://127.0.0.1:{port}{version}",
        api=api,
        group_budget=Budget(calls=10**6, tokens=10**12),
    )
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        folder = Path(name)
        before = os.environ.get("PYTHONPATH")
        known = set(psutil.Process().children(recursive=True))
        if source is not None:
            os.environ["PYTHONPATH"] = str(source)
        try:
            control = stack.enter_context(start_gateway(settings, KEY, folder / "budget.jsonl"))
        finally:
            if source is not None:
                os.environ.pop("PYTHONPATH")
                os.environ.update({"PYTHONPATH": before} if before else {})
        endpoint = folder / "gateway.sock"
        request = EndpointRequest("run", str(endpoint), str(folder / "trajectory.jsonl"))
        opened = stack.enter_context(open_endpoint(control, "m", request))
        caller = Caller(opened.environment["OPENAI_API_KEY"], endpoint=endpoint)
        caller.processes = list(set(psutil.Process().children(recursive=True)) - known)
        yield caller


@dataclass(frozen=True)
class Added:
    """What a gateway adds, in milliseconds, and the same of the yardstick for a chat."""

    call: float
    yardstick: float
    first: float
    yardstick_first: float
    cpu: float
    """The gateway's processor time for a call, as a multiple of the yardstick's."""


def measure(port: int, source: Path | None) -> int:
    """Print a row for each case; returns how many miss a target."""
    missed = 0
    print("front     provider          call  yardstick  ratio  first token  yardstick   cpu")
    for case in CASES:
        found = compare(port, case, source)
        ratio = found.call / found.yardstick
        missed += ratio > MOST_RATIO or found.first > MOST_FIRST_MS
        row = f"{case.front:9} {case.api:16} {found.call:5.2f}  {found.yardstick:9.2f}"
        row += f"  {ratio:5.2f}  {found.first:11.2f}  {found.yardstick_first:9.2f}"
        print(f"{row}  {found.cpu:4.2f}", flush=True)
    return missed


def compare(port: int, case: Case, source: Path | None) -> Added:
    """Alternate calls straight to the provider, through this gateway and the yardstick.

    The straight call is in the provider's own protocol: Anthropic's streams have two events before
    the first token, chat completions none, and the stand-in pauses after each.
    """
    straight = Caller(KEY, port=port)
    one, front = case.straight, case.front
    with gateway(port, case.api) as new, gateway(port, "openai", source) as old:
        rounds = []
        for _ in range(ROUNDS):
            whole = [
                (straight.whole(one), new.whole(front), straight.whole("chat"), old.whole("chat"))
                for _ in range(CALLS)
            ]
            first = [
                (straight.first(one), new.first(front), straight.first("chat"), old.first("chat"))
                for _ in range(CALLS // 2)
            ]
            rounds.append((*differences(whole), *differences(first)))
        cpu = min(new.cpu(front) for _ in range(2)) / min(old.cpu("chat") for _ in range(2))
    return Added(*(min(row) for row in zip(*rounds, strict=True)), cpu=cpu)


def differences(times: list[tuple[float, float, float, float]]) -> tuple[float, float]:
    """What each gateway adds to a call straight to the provider, at the median."""
    one, new, other, old = (statistics.median(row) for row in zip(*times, strict=True))
    return new - one, old - other


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--yardstick", default=YARDSTICK, help="the commit to compare with")
    parser.add_argument("--source", type=Path, help="its folder `src`, where git cannot read it")
    options = parser.parse_args()
    with provider_process(answer, 0.002) as port, tempfile.TemporaryDirectory() as folder:
        source = options.source or extract(options.yardstick, Path(folder))
        missed = measure(port, source)
    return 1 if missed else 0


def extract(commit: str, folder: Path) -> Path:
    """The source of another commit."""
    command = ["git", "archive", commit, "src"]
    root = Path(__file__).parent.parent
    data = subprocess.run(command, check=True, stdout=subprocess.PIPE, cwd=root).stdout
    with tarfile.open(fileobj=BytesIO(data)) as archive:
        archive.extractall(folder, filter="data")
    return folder / "src"


if __name__ == "__main__":
    sys.exit(main())
