"""The head of a request: h11 judges it, and anything unclear about the body's length is refused."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import h11

HEAD_BYTES = 16 * 1024
KEPT_HEADS = 64
SINGLE_HEADERS = (b"content-length", b"host", b"authorization")
BLANK_LINE = re.compile(rb"\n\r?\n")


class Refused(Exception):
    """A request that is not answered by the application; the connection is closed after it."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


@dataclass(frozen=True)
class Head:
    """What stands before the body."""

    method: str
    path: str
    headers: Mapping[str, str]
    length: int
    """Of the body, in bytes."""

    query: str = ""
    """What follows the question mark, as it came."""


def find_end(data: bytes, known: int) -> int:
    """Where the head in these bytes ends, 0 when it goes on; the first `known` were looked at."""
    found = BLANK_LINE.search(data, max(0, known - 2))
    if found:
        return found.end()
    if data[:1] < b"!":
        raise Refused(400, "bad request")
    if len(data) >= HEAD_BYTES:
        raise Refused(431, f"the head of a request has at most {HEAD_BYTES:,} bytes")
    return 0


# A client sends the same head again and again.
@lru_cache(maxsize=KEPT_HEADS)
def parse_head(data: bytes) -> Head:
    """A whole head, from request line to blank line."""
    parser = h11.Connection(h11.SERVER, max_incomplete_event_size=HEAD_BYTES)
    parser.receive_data(data)
    try:
        event = parser.next_event()
    except h11.RemoteProtocolError as error:
        raise Refused(error.error_status_hint, "bad request") from None
    if not isinstance(event, h11.Request):
        raise Refused(400, "bad request")
    length = _length(event)
    headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in event.headers}
    path, _, query = event.target.decode("latin-1").partition("?")
    return Head(event.method.decode("latin-1"), path, headers, length, query)


def _length(head: h11.Request) -> int:
    """The stated length of the body."""
    names = [name for name, _ in head.headers]
    if sum(len(name) + len(value) for name, value in head.headers) > HEAD_BYTES:
        raise Refused(431, f"the head of a request has at most {HEAD_BYTES:,} bytes")
    if b"transfer-encoding" in names:
        raise Refused(411, "a request needs a Content-Length")
    if b"content-encoding" in names:
        raise Refused(415, "compressed requests are not read")
    if any(names.count(name) > 1 for name in SINGLE_HEADERS):
        raise Refused(400, "a header stands twice")
    if not head.target.startswith(b"/"):
        raise Refused(400, "bad request")
    return next((int(value) for name, value in head.headers if name == b"content-length"), 0)
