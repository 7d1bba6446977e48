"""A client for OpenAI's chat protocol that uses the standard library only."""

from __future__ import annotations

import http.client
import json
import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

Message = dict[str, Any]
TRY_AGAIN = (408, 409, 429, 500, 502, 503, 504, 529)
LONGEST_WAIT_SECONDS = 30.0
LONGEST_ANSWER_SECONDS = 900.0
FIRST_OUTAGE_SECONDS = 600.0
"""How long to wait for the first answer of a model; a run without any is useless."""

LATER_OUTAGE_SECONDS = 7200.0


class ModelError(Exception):
    """The model cannot answer this request, or not in the remaining time."""


class TooLongError(ModelError):
    """The request does not fit into the model's context."""


class NoMoreError(ModelError):
    """No more answers in this run: the budget is spent, or the outage took too long."""


@dataclass
class Model:
    """A model behind an OpenAI-compatible address."""

    base_url: str
    key: str
    name: str
    seconds_left: Callable[[], float]
    """Returns how long to wait at most."""

    options: Mapping[str, Any] = field(default_factory=dict)
    """Sent with every request, such as `temperature`."""

    calls: int = 0
    tokens: int = 0

    def chat(self, messages: Sequence[Message], tools: Sequence[Mapping[str, Any]] = ()) -> Message:
        """The model's message; the request is repeated after transient failures."""
        body: dict[str, Any] = {"model": self.name, "messages": list(messages), **self.options}
        if tools:
            body["tools"] = list(tools)
        data = json.dumps(body).encode()
        wait, reason = 1.0, "there is no time left"
        patience = LATER_OUTAGE_SECONDS if self.calls else FIRST_OUTAGE_SECONDS
        end = time.monotonic() + patience
        while (left := self.seconds_left()) > 0:
            try:
                status, headers, text = self._post(data, min(left, LONGEST_ANSWER_SECONDS))
                if status == 200:
                    return self._read(text)
                reason = _reason(status, text)
                if status not in TRY_AGAIN:
                    raise _refusal(status, reason)
                wait = max(wait, _retry_after(headers.get("Retry-After")))
            except (OSError, http.client.HTTPException, ValueError) as error:
                reason = f"no answer: {error or type(error).__name__}"
            if time.monotonic() > end:
                raise NoMoreError(f"no answer for {patience:.0f} s: {reason}")
            time.sleep(max(0.0, min(wait, self.seconds_left())))
            wait = min(2 * wait, LONGEST_WAIT_SECONDS)
        raise ModelError(reason)

    def _post(self, data: bytes, timeout: float) -> tuple[int, http.client.HTTPMessage, bytes]:
        parts = urlsplit(self.base_url)
        is_https = parts.scheme == "https"
        kind = http.client.HTTPSConnection if is_https else http.client.HTTPConnection
        connection = kind(parts.hostname or "localhost", parts.port, timeout=timeout)
        headers = {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"}
        try:
            connection.request("POST", f"{parts.path.rstrip('/')}/chat/completions", data, headers)
            response = connection.getresponse()
            return response.status, response.headers, response.read()
        finally:
            connection.close()

    def _read(self, text: bytes) -> Message:
        answer = json.loads(text)
        try:
            message = dict(answer["choices"][0]["message"])
        except (KeyError, IndexError, TypeError):
            raise ValueError("the answer has no message") from None
        self.calls += 1
        self.tokens += int((answer.get("usage") or {}).get("total_tokens") or 0)
        return message


def find_model(parameters: Mapping[str, Any], seconds_left: Callable[[], float]) -> Model:
    """The model that the environment variables name; a parameter may name another one."""
    return Model(
        base_url=os.environ.get("OPENAI_BASE_URL") or "http://localhost:5001/v1",
        key=os.environ.get("OPENAI_API_KEY") or "none",
        name=str(parameters.get("model") or os.environ.get("MLEBENCH_MODEL") or ""),
        seconds_left=seconds_left,
        options=parameters.get("options") or {},
    )


def text_of(message: Message) -> str:
    """The text of a message, whose content may be a string or a list of parts."""
    content = message.get("content")
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, dict)]
        return "\n".join(part for part in parts if isinstance(part, str))
    return content if isinstance(content, str) else ""


def _reason(status: int, text: bytes) -> str:
    try:
        error = json.loads(text)["error"]
        said = error if isinstance(error, str) else f"{error.get('code')}: {error.get('message')}"
    except (ValueError, KeyError, TypeError, AttributeError):
        said = text[:300].decode("utf-8", "replace")
    return f"status {status}: {said}"


def _refusal(status: int, reason: str) -> ModelError:
    if status == 402 or "budget" in reason or "insufficient_quota" in reason:
        return NoMoreError(reason)
    words = ("context_length", "context length", "maximum context", "too long", "too large")
    if status == 413 or any(word in reason.lower() for word in words):
        return TooLongError(reason)
    return ModelError(reason)


def _retry_after(text: str | None) -> float:
    try:
        return min(float(text or 0), 2 * LONGEST_WAIT_SECONDS)
    except ValueError:
        return 0.0


def function_tool(
    name: str, description: str, properties: Mapping[str, tuple[str, str]], required: Sequence[str]
) -> dict[str, Any]:
    """The schema of a tool.

    Args:
        properties: JSON type and description of each argument.
    """
    shapes = {
        key: {"type": kind, "description": text} if text else {"type": kind}
        for key, (kind, text) in properties.items()
    }
    parameters = {"type": "object", "properties": shapes, "required": list(required)}
    function = {"name": name, "description": description, "parameters": parameters}
    return {"type": "function", "function": function}
