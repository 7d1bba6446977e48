"""Streamed answers: parse server-sent events and assemble the whole answer from them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Protocol

from mlebench.gateway.routes import CHAT, Route
from mlebench.gateway.rules import objects_in

MAX_EVENT = 8 << 20
NAME = re.compile(r"[\w.\-]{1,100}")
DONE = "[DONE]"
Event = tuple[str | None, str]
"""The name and the data of a server-sent event."""

EVENT_END = re.compile(rb"\r?\n\r?\n")


class StreamError(Exception):
    """The provider's stream cannot be parsed."""


class EventReader:
    """Parses server-sent events from a stream of bytes."""

    def __init__(self) -> None:
        self._rest = bytearray()

    def feed(self, data: bytes) -> Iterator[Event]:
        """The events that are complete now."""
        # Bytes searched before are not searched again, however long an event is.
        looked_at = max(0, len(self._rest) - 3)
        self._rest += data
        start = 0
        while end := EVENT_END.search(self._rest, max(start, looked_at)):
            block = bytes(self._rest[start : end.start()])
            start = end.end()
            if event := _read_event(block):
                yield event
        del self._rest[:start]
        if len(self._rest) > MAX_EVENT:
            raise StreamError("an event has no end")


def _read_event(block: bytes) -> Event | None:
    name, data = None, []
    for line in block.decode("utf-8", "replace").replace("\r\n", "\n").split("\n"):
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "event" and NAME.fullmatch(value):
            name = value
        elif field == "data":
            data.append(value)
    return (name, "\n".join(data)) if data else None


def write_event(name: str | None, data: str) -> bytes:
    """An event as bytes; the data is one line."""
    head = f"event: {name}\n" if name else ""
    return f"{head}data: {data}\n\n".encode()


class Assembly(Protocol):
    """Assembles an answer from the pieces of its stream."""

    is_complete: bool

    def add(self, piece: dict[str, Any]) -> None: ...

    def answer(self) -> dict[str, Any]: ...


def make_assembly(route: Route) -> Assembly:
    return ChatAssembly() if route is CHAT else ResponseAssembly()


class ChatAssembly:
    """For chat completions: concatenates texts and arguments of tool calls."""

    def __init__(self) -> None:
        self.is_complete = False
        self._facts: dict[str, Any] = {}
        self._choices: dict[int, dict[str, Any]] = {}

    def add(self, piece: dict[str, Any]) -> None:
        for name in ("id", "model", "created", "system_fingerprint", "usage"):
            if piece.get(name) is not None:
                self._facts[name] = piece[name]
        for part in objects_in(piece.get("choices")):
            index = part.get("index", 0)
            choice = self._choices.setdefault(
                index if isinstance(index, int) else 0,
                {"message": {"role": "assistant", "content": None}, "finish_reason": None},
            )
            choice["finish_reason"] = part.get("finish_reason") or choice["finish_reason"]
            if isinstance(part.get("delta"), dict):
                _merge_delta(choice["message"], part["delta"])

    def answer(self) -> dict[str, Any]:
        choices = []
        for index, choice in sorted(self._choices.items()):
            message = dict(choice["message"])
            if calls := message.get("tool_calls"):
                message["tool_calls"] = list(calls.values())
            finish = choice["finish_reason"]
            choices.append({"index": index, "message": message, "finish_reason": finish})
        return {"object": "chat.completion", **self._facts, "choices": choices}


def _merge_delta(message: dict[str, Any], delta: dict[str, Any]) -> None:
    for name, value in delta.items():
        if name == "tool_calls":
            calls = message.setdefault("tool_calls", {})
            for call in objects_in(value):
                index = call.get("index")
                place = index if isinstance(index, int) else len(calls)
                _merge_call(calls.setdefault(place, {}), call)
        elif isinstance(value, str) and name != "role":
            message[name] = (message.get(name) or "") + value


def _merge_call(call: dict[str, Any], piece: dict[str, Any]) -> None:
    call["id"] = piece.get("id") or call.get("id")
    call["type"] = "function"
    function = call.setdefault("function", {"name": "", "arguments": ""})
    if isinstance(piece.get("function"), dict):
        for name in function:
            value = piece["function"].get(name)
            function[name] += value if isinstance(value, str) else ""


class ResponseAssembly:
    """For responses: the last event contains the whole answer."""

    def __init__(self) -> None:
        self.is_complete = False
        self._last: dict[str, Any] = {}

    def add(self, piece: dict[str, Any]) -> None:
        if isinstance(piece.get("response"), dict):
            self._last = piece["response"]
        if piece.get("type") in ("response.completed", "response.incomplete", "response.failed"):
            self.is_complete = True

    def answer(self) -> dict[str, Any]:
        return self._last


def make_events(route: Route, answer: dict[str, Any]) -> list[Event]:
    """A short stream equivalent to a whole answer, for a replay whose events were not recorded."""
    if route is not CHAT:
        items = enumerate(objects_in(answer.get("output")))
        pieces: list[dict[str, Any]] = [
            {"type": "response.created", "response": answer | {"status": "in_progress"}},
            *(
                {"type": "response.output_item.done", "output_index": i, "item": x}
                for i, x in items
            ),
            {"type": "response.completed", "response": answer},
        ]
        return [(piece["type"], json.dumps(piece)) for piece in pieces]
    facts = {k: v for k, v in answer.items() if k not in ("choices", "usage")}
    facts["object"] = "chat.completion.chunk"
    events = []
    for choice in objects_in(answer.get("choices")):
        delta = {k: v for k, v in choice.get("message", {}).items() if v is not None}
        if calls := delta.get("tool_calls"):
            delta["tool_calls"] = [{"index": i, **call} for i, call in enumerate(calls)]
        part = {"index": choice.get("index", 0), "delta": delta, "finish_reason": None}
        end = {**part, "delta": {}, "finish_reason": choice.get("finish_reason")}
        events += [facts | {"choices": [part]}, facts | {"choices": [end]}]
    if answer.get("usage"):
        events.append(facts | {"choices": [], "usage": answer["usage"]})
    return [*((None, json.dumps(event)) for event in events), (None, DONE)]
