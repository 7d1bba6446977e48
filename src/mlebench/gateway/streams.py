"""Server-sent events: parse them from bytes, and write them."""

from __future__ import annotations

import re
from collections.abc import Iterator

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
