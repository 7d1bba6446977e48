"""A stand-in model server that knows some data sets by heart and is honest about all others.

What it knows comes from tables of its own. About the rest it guesses as well as it can from the
question: it continues sequences, repeats constant cells, answers with the most frequent label.
"""

from __future__ import annotations

import csv
import hashlib
import json
import random
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from typing import Any

TOKENS = re.compile(r"\s*[^\W_]+|\s*[^\w\s]|_|\s+")
MEMORY = 40
"""Characters before a token that must match for the model to know how a text goes on."""


@dataclass
class StubModel:
    """Answers; `texts`, `tables`, `labels` and `titles` are what it knows."""

    seed: int = 0
    texts: list[str] = field(default_factory=list)
    tables: list[list[list[str]]] = field(default_factory=list)
    labels: dict[tuple[str, str], str] = field(default_factory=dict)
    titles: dict[str, str] = field(default_factory=dict)
    """The title by a part of a text that belongs to it."""

    classes: tuple[str, ...] = ("0", "1")

    def __post_init__(self) -> None:
        self.memory = "\0".join(self.texts)
        # What precedes a known token; a search through the whole memory is slow.
        self.known = {self.memory[k : k + MEMORY] for k in range(len(self.memory) - MEMORY)}

    def respond(self, body: dict[str, Any]) -> dict[str, Any]:
        """The answer to a request, in OpenAI's form."""
        seed = int(body.get("seed", 0))
        if "messages" in body:
            said = {"content": self.answer(body["messages"][0]["content"], seed)}
            return {"choices": [{"message": said}]}
        prompt = body["prompt"]
        if "logprobs" not in body:
            return {"choices": [{"text": self.answer(prompt, seed)}]}
        tokens, values, tops = self.logprobs(prompt)
        usage = {"prompt_tokens": len(tokens), "completion_tokens": 1}
        if not body.get("echo"):
            tokens, values, tops = [], [], []
        logs = {
            "tokens": [*tokens, " x"],
            "token_logprobs": [*values, -1.0],
            "top_logprobs": [*tops, {" x": -1.0}],
        }
        return {"choices": [{"text": " x", "logprobs": logs}], "usage": usage}

    def logprobs(self, text: str) -> tuple[list[str], list[float | None], list[Any]]:
        """Tokens with noise that depends on the token and the one before it, and on memory."""
        tokens = TOKENS.findall(text)
        values: list[float | None] = [None]
        place = len(tokens[0])
        for before, token in pairwise(tokens):
            start = max(0, place - MEMORY)
            sought = text[start : place + len(token)]
            # A text that repeats itself is known the second time, as for any real model.
            is_known = place >= MEMORY and (
                (text[start:place] in self.known and sought in self.memory)
                or text.find(sought, 0, place) >= 0
            )
            values.append(-0.05 if is_known else -2 - 4 * self.noise(before, token))
            place += len(token)
        return tokens, values, [None if v is None else self._top(v) for v in values]

    def _top(self, value: float) -> dict[str, float]:
        found = {f"w{k}": -1.5 - 0.4 * k for k in range(10)}
        return found | {"true": value}

    def noise(self, *words: object) -> float:
        text = json.dumps([self.seed, *map(str, words)])
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4]) / 2**32

    def answer(self, prompt: str, seed: int = 0) -> str:
        if "winning solution" in prompt:
            return self._solution(prompt, seed)
        for mark, answer in (
            ("next row", self._row),
            ("beginning of a row", self._value),
            ("what is the value of", self._label),
            ("first half", self._half),
            ("most likely names", self._name),
            ("leaderboard", lambda p: f"{self.noise(p):.4f}"),
        ):
            if mark in prompt:
                return answer(prompt)
        return "0.1, 0"

    def _row(self, prompt: str) -> str:
        rows = list(csv.reader(prompt.split("\n\n", 1)[1].splitlines()))
        for table in self.tables:
            if rows[-1] in table and table.index(rows[-1]) + 1 < len(table):
                return "```\n" + ",".join(table[table.index(rows[-1]) + 1]) + "\n```"
        return ",".join(map(self._guess, zip(*rows[1:], strict=True)))

    def _guess(self, cells: tuple[str, ...]) -> str:
        """The next cell of a column, from the cells before."""
        try:
            numbers = [float(cell) for cell in cells]
        except ValueError:
            return cells[int(self.noise(*cells) * len(cells))]
        steps = {round(b - a, 9) for a, b in pairwise(numbers)}
        if len(steps) == 1:
            return f"{numbers[-1] + steps.pop():g}"
        return cells[int(self.noise(*cells) * len(cells))]

    def _value(self, prompt: str) -> str:
        beginning = prompt.split("\n\n", 1)[1].rstrip(",").split(",")
        for table in self.tables:
            for row in table:
                if row[: len(beginning)] == beginning:
                    return row[len(beginning)]
        return f"{self.noise(prompt) * 100:.2f}"

    def _label(self, prompt: str) -> str:
        title = re.search(r'competition "(.*?)"', prompt)[1]
        asked = re.search(r"= (\S+)\?", prompt)[1]
        return self.labels.get((title, asked), self.classes[0])

    def _half(self, prompt: str) -> str:
        half = prompt.split("\n\n", 1)[1]
        for text in self.texts:
            flat = " ".join(text.split())
            if half in flat and "from the" in prompt:
                place = flat.index(half) + len(half)
                return flat[place : place + len(half)]
        words = half.split()
        random.Random(f"{self.seed}{prompt}").shuffle(words)
        return " ".join(words)

    def _solution(self, prompt: str, seed: int) -> str:
        """A solution that was learnt by heart differs in one word; others differ everywhere."""
        title = re.search(r'competition "(.*?)"', prompt)[1]
        if title in self.titles.values():
            return " ".join(f"{title.split()[-1]}{k}" for k in range(60)) + f" seed{seed % 3}"
        return " ".join(f"w{int(self.noise(prompt, seed, k) * 50)}" for k in range(60))

    def _name(self, prompt: str) -> str:
        known = [title for part, title in self.titles.items() if part in prompt]
        return "\n".join([*known, "Titanic", "House Prices", "Digit Recognizer"])


class StubServer(ThreadingHTTPServer):
    """Serves a model; counts calls, and may ignore `echo` or fail for a while."""

    daemon_threads = True

    def __init__(self, model: StubModel, *, context: int = 4096) -> None:
        super().__init__(("127.0.0.1", 0), StubHandler)
        self.model = model
        self.context = context
        self.ignores_echo = False
        self.failures: list[int] = []
        """Statuses to answer the next requests with."""

        self.on_call: Callable[[int], None] = lambda number: None
        self.seen: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


class StubHandler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: StubServer

    def log_message(self, *args: object) -> None:
        """Silence."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.seen.append(body)
        self.server.headers.append(dict(self.headers))
        self.server.on_call(len(self.server.seen))
        if self.server.failures:
            return self._send(self.server.failures.pop(0), {"error": {"message": "busy"}})
        prompt = body.get("prompt", "")
        if len(TOKENS.findall(prompt)) >= self.server.context:
            message = "this model's maximum context length is exceeded"
            return self._send(400, {"error": {"message": message}})
        if self.server.ignores_echo:
            body.pop("echo", None)
        return self._send(200, self.server.model.respond(body))

    def _send(self, status: int, answer: dict[str, Any]) -> None:
        data = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


@contextmanager
def serve(model: StubModel, **options: Any) -> Iterator[StubServer]:
    server = StubServer(model, **options)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
