"""Serve a GGUF model with log probabilities of the prompt: `/v1/completions` and chat.

    python scripts/serve_local_model.py MODEL.gguf --port 8000

Needs llama-cpp-python only. Its own server sorts the whole vocabulary in Python for every token of
an echoed prompt, a hundred times the work of the model itself if the model is small, and returns
values that are off by one token for models without a begin mark.
"""

from __future__ import annotations

import argparse
import json
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import numpy as np
from llama_cpp import Llama

ROUTES = ("/v1/completions", "/v1/chat/completions")


def log_softmax(logits: np.ndarray) -> np.ndarray:
    """For each row of the model's output the log probabilities of all tokens."""
    values = np.asarray(logits, dtype=np.float32)
    values = values - values.max(axis=1, keepdims=True)
    return np.asarray(values - np.log(np.exp(values).sum(axis=1, keepdims=True)))


class ModelServer(HTTPServer):
    """One call at a time: the model has one context."""

    def __init__(self, port: int, model: str, *, context: int, threads: int) -> None:
        super().__init__(("127.0.0.1", port), Handler)
        self.context = context
        self.llama = Llama(
            model,
            n_ctx=context,
            n_threads=threads,
            n_threads_batch=threads,
            logits_all=True,
            verbose=False,
            seed=0,
        )

    def complete(self, body: dict[str, Any]) -> dict[str, Any]:
        """OpenAI's legacy route, with `echo` and `logprobs`."""
        if not body.get("echo"):
            if "logprobs" in body:
                return self._next_token(str(body["prompt"]), int(body["logprobs"]))
            known = {k: body[k] for k in ("prompt", "max_tokens", "temperature") if k in body}
            self.llama.reset()
            return dict(self.llama.create_completion(**known))
        tokens = self._tokens(str(body["prompt"]))
        # A fresh state, so that an answer does not depend on the calls before it.
        self.llama.reset()
        self.llama.eval(tokens)
        logs = log_softmax(self.llama.scores[: len(tokens)])
        texts = [self._text(tokens[: k + 1], tokens[:k]) for k in range(len(tokens))]
        best = [None, *(self._best(row, int(body["logprobs"])) for row in logs[:-1])]
        values = [None, *(float(logs[k, t]) for k, t in enumerate(tokens[1:]))]
        found = {"tokens": texts, "token_logprobs": values, "top_logprobs": best}
        usage = {"prompt_tokens": len(tokens), "completion_tokens": 0}
        return {"choices": [{"text": body["prompt"], "logprobs": found}], "usage": usage}

    def _next_token(self, prompt: str, count: int) -> dict[str, Any]:
        tokens = self._tokens(prompt)
        # From the beginning: with a cached prefix, quantised models differ by 0.2 in log p.
        self.llama.reset()
        self.llama.eval(tokens)
        row = log_softmax(self.llama.scores[len(tokens) - 1 : len(tokens)])[0]
        first = int(row.argmax())
        text = self._text([*tokens, first], tokens)
        found = {
            "tokens": [text],
            "token_logprobs": [float(row[first])],
            "top_logprobs": [self._best(row, count)],
        }
        usage = {"prompt_tokens": len(tokens), "completion_tokens": 1}
        return {"choices": [{"text": text, "logprobs": found}], "usage": usage}

    def _tokens(self, text: str) -> list[int]:
        """With the begin mark that every text of the model starts with, if it has one."""
        tokens = list(self.llama.tokenize(text.encode(), add_bos=True, special=True))
        if len(tokens) >= self.context:
            raise ValueError(f"{len(tokens)} tokens exceed context window of {self.context}")
        return tokens

    def _best(self, row: np.ndarray, count: int) -> dict[str, float]:
        chosen = np.argpartition(-row, count)[:count]
        texts = [self.llama.detokenize([int(t)], special=True) for t in chosen]
        return {
            text.decode("utf-8", "replace"): float(row[t])
            for text, t in zip(texts, chosen, strict=True)
        }

    def _text(self, tokens: list[int], before: list[int]) -> str:
        data = bytes(self.llama.detokenize(tokens[-1:], prev_tokens=before, special=True))
        return data.decode("utf-8", "replace")


class Handler(BaseHTTPRequestHandler):
    """Reads a request, sends JSON, closes the connection: an idle one would block all others."""

    server: ModelServer

    def log_message(self, *args: object) -> None:
        """No log."""

    def do_GET(self) -> None:
        self._send(200, {"data": [{"id": "local"}]})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        llama = self.server.llama
        try:
            if self.path == ROUTES[0]:
                answer = self.server.complete(body)
            elif self.path == ROUTES[1]:
                llama.reset()
                known = {k: body[k] for k in ("messages", "max_tokens", "temperature")}
                answer = dict(llama.create_chat_completion(**known))
            else:
                return self._send(404, {"error": {"message": f"expected one of {ROUTES}"}})
        except ValueError as error:
            return self._send(400, {"error": {"message": str(error)}})
        return self._send(200, answer)

    def _send(self, status: int, answer: dict[str, Any]) -> None:
        data = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--context", type=int, default=4096)
    parser.add_argument("--threads", type=int, default=2)
    asked = parser.parse_args()
    ModelServer(
        asked.port, asked.model, context=asked.context, threads=asked.threads
    ).serve_forever()
