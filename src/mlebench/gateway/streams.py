"""Server-sent events: parse them from bytes, and write them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

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
            raise StreamError("an event does not end")


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


def write_events(events: Iterable[Event]) -> bytes:
    """Events as bytes; the data of each is one line."""
    named = ((f"event: {name}\n" if name else "", data) for name, data in events)
    return "".join(f"{head}data: {data}\n\n" for head, data in named).encode()


def plain_events(pieces: Iterable[dict[str, Any]]) -> list[Event]:
    """Pieces of JSON as events without a name."""
    return [(None, json.dumps(piece)) for piece in pieces]


def named_events(pieces: Iterable[dict[str, Any]]) -> list[Event]:
    """Pieces of JSON as events named after their type."""
    return [(piece["type"], json.dumps(piece)) for piece in pieces]
