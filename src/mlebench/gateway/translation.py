"""Translate a call from the agent's protocol to the provider's, and its answer back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import quote

from mlebench.gateway.dialects.neutral import Delta, End, Thinking
from mlebench.gateway.dialects.table import CHAT, GEMINI, MESSAGES, RESPONSES, Dialect
from mlebench.gateway.faults import malformed
from mlebench.gateway.prices import TokenUsage
from mlebench.gateway.routes import Call, output_field
from mlebench.gateway.rules import Denied, read_object
from mlebench.gateway.settings import GatewaySettings
from mlebench.gateway.streams import DONE, Event

UNREADABLE = (ValueError, LookupError, TypeError, AttributeError)


class Translation:
    """One call in the provider's protocol; translates its answer back."""

    def __init__(self, call: Call, back: Dialect, settings: GatewaySettings) -> None:
        """Raises `Denied` if the provider's protocol has no equivalent."""
        if call.choices > 1:
            name = call.dialect.choices_field
            raise Denied(400, f"not allowed: {name!r} above 1 with this provider", "not_allowed")
        self._front, self._back = call.dialect, back
        facts = {"model": settings.model, "stream": call.is_stream}
        self._prompt = self._front.form.read_request(call.body | facts)
        self._prompt.max_output = call.max_output
        self.removed = list(dict.fromkeys([*self._drop_thoughts(), *self._find_lost(call)]))
        """What the provider does not receive."""

        if all(turn.role == "system" for turn in self._prompt.turns):
            raise Denied(400, "the request has no message", "invalid_request")
        self.body = back.form.write_request(self._prompt)
        if back in (CHAT, RESPONSES):
            if call.is_limited:
                self.body[output_field(back, settings)] = call.max_output
            if back is CHAT and not settings.is_local:
                self.body["store"] = False
        self.usage: TokenUsage | None = None
        self._reader = back.make_reader()
        self._writer = self._front.make_writer(self._prompt)

    def _drop_thoughts(self) -> Iterator[str]:
        """Leave out the thoughts of earlier answers that the provider would not accept."""
        is_known = self._back.knows_seal
        for turn in self._prompt.turns:
            kept = [p for p in turn.parts if not isinstance(p, Thinking) or is_known(p.seal)]
            if len(kept) < len(turn.parts):
                yield "thinking of earlier answers"
            turn.parts = kept
        self._prompt.turns = [turn for turn in self._prompt.turns if turn.parts]

    def _find_lost(self, call: Call) -> Iterator[str]:
        """The fields without an equivalent in the provider's protocol."""
        for place in sorted(self._front.lost):
            value: Any = call.body
            for name in place.split("."):
                value = value.get(name) if isinstance(value, dict) else None
            if value is not None:
                yield place
        for name in sorted(self._back.lacks):
            asked = getattr(self._prompt, name)
            if asked is not None and asked is not True and asked != []:
                yield name.removeprefix("is_")

    def answer(self, data: dict[str, Any]) -> dict[str, Any]:
        """A whole answer in the agent's protocol."""
        with _readable():
            found = self._back.form.read_answer(data)
        self.usage = found.usage
        found.model = found.model or self._prompt.model
        return self._front.form.write_answer(found, self._prompt)

    def events(self, text: str) -> list[Event]:
        """The events in the agent's protocol that correspond to one event of the provider."""
        if text == DONE:
            return self._write(self._reader.close()) if self._back is CHAT else []
        try:
            piece = read_object(text)
        except ValueError:
            return [(None, text)]  # the caller rejects it
        if piece.get("error") or piece.get("type") == "error":
            return [(None, text)]
        with _readable():
            deltas = self._reader.read(piece)
        return self._write(deltas)

    def close(self) -> list[Event]:
        """The events at the end of a stream that has no event for it."""
        return self._write(self._reader.close()) if self._back is GEMINI else []

    def _write(self, deltas: list[Delta]) -> list[Event]:
        for delta in deltas:
            if isinstance(delta, End):
                self.usage = delta.usage
        return [event for delta in deltas for event in self._writer.write(delta)]


@contextmanager
def _readable() -> Iterator[None]:
    try:
        yield
    except UNREADABLE as error:
        raise malformed(f"{type(error).__name__}: {error}") from None


def estimate_tokens(call: Call) -> dict[str, Any]:
    """The answer to a request that counts tokens, for a provider that cannot."""
    kept = {k: v for k, v in call.body.items() if k not in ("model", "generationConfig")}
    images = sum(map(len, call.images))
    count = max(0, len(json.dumps(kept, ensure_ascii=False)) - images) // 4
    count += len(call.images) * 1500
    return {call.dialect.count_field or "input_tokens": max(1, count)}


def provider_path(call: Call, back: Dialect, settings: GatewaySettings) -> str:
    """Where a call goes, below the provider's base URL."""
    if back is MESSAGES:
        return "/messages/count_tokens" if call.route.is_count else "/messages"
    if back is GEMINI:
        action = "streamGenerateContent?alt=sse" if call.is_stream else "generateContent"
        action = "countTokens" if call.route.is_count else action
        return f"/models/{quote(settings.model, safe='')}:{action}"
    return "/responses" if back is RESPONSES else "/chat/completions"
