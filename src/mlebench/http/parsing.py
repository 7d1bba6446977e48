"""Parse the head of a request: h11 decides, and an unclear length of the body is refused."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import h11

from mlebench.http.messages import RequestRefused

MAX_HEAD_BYTES = 16 * 1024
CACHED_HEADS = 64
SINGLE_HEADERS = (b"content-length", b"host", b"authorization", b"x-api-key", b"x-goog-api-key")
BLANK_LINE = re.compile(rb"\n\r?\n")


@dataclass(frozen=True)
class RequestHead:
    """Request line and headers."""

    method: str
    path: str
    headers: Mapping[str, str]
    body_bytes: int
    """The stated length of the body."""

    query: str = ""


def find_head_end(data: bytes, known: int) -> int:
    """The length of the head at the start of `data`; 0 if its end has not arrived.

    Args:
        known: how many bytes an earlier call has searched.
    """
    found = BLANK_LINE.search(data, max(0, known - 2))
    if found:
        return found.end()
    if data[:1] < b"!":
        raise RequestRefused(400, "bad request")
    if len(data) >= MAX_HEAD_BYTES:
        raise _too_long()
    return 0


# A client on an open connection sends the same head again and again.
@lru_cache(maxsize=CACHED_HEADS)
def parse_head(data: bytes) -> RequestHead:
    """Parse a whole head, from the request line to the blank line."""
    parser = h11.Connection(h11.SERVER, max_incomplete_event_size=MAX_HEAD_BYTES)
    parser.receive_data(data)
    try:
        event = parser.next_event()
    except h11.RemoteProtocolError as error:
        raise RequestRefused(error.error_status_hint, "bad request") from None
    if not isinstance(event, h11.Request):
        raise RequestRefused(400, "bad request")
    length = _body_bytes(event)
    headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in event.headers}
    path, _, query = event.target.decode("latin-1").partition("?")
    return RequestHead(event.method.decode("latin-1"), path, headers, length, query)


def _body_bytes(head: h11.Request) -> int:
    names = [name for name, _ in head.headers]
    if sum(len(name) + len(value) for name, value in head.headers) > MAX_HEAD_BYTES:
        raise _too_long()
    if b"transfer-encoding" in names:
        raise RequestRefused(411, "a request needs a Content-Length")
    if b"content-encoding" in names:
        raise RequestRefused(415, "compressed requests are not supported")
    if any(names.count(name) > 1 for name in SINGLE_HEADERS):
        raise RequestRefused(400, "a header that may occur only once occurs twice")
    if not head.target.startswith(b"/"):
        raise RequestRefused(400, "bad request")
    return next((int(value) for name, value in head.headers if name == b"content-length"), 0)


def _too_long() -> RequestRefused:
    text = f"the head of a request may have at most {MAX_HEAD_BYTES:,} bytes"
    return RequestRefused(431, text)
