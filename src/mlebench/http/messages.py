"""What the server passes to an application, and what the application returns."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass, field
from typing import Any

from mlebench.http.uploads import Upload


@dataclass(frozen=True)
class HttpRequest:
    """One request with its whole body."""

    method: str
    path: str
    headers: Mapping[str, str]
    """By lower-case name."""

    body: bytearray
    query: str = ""
    """What follows the question mark, not decoded."""

    upload: Upload | None = None
    """The body, if the server stores bodies in files; `body` is empty then."""


@dataclass(frozen=True)
class HttpReply:
    """A whole answer: `data` as JSON, or `body` as it is."""

    status: int
    data: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None
    content_type: str = "application/json"


@dataclass(frozen=True)
class HttpStream:
    """An answer in pieces; the generator is closed when the client disconnects."""

    chunks: AsyncGenerator[bytes, None]
    content_type: str = "text/event-stream"
    headers: Mapping[str, str] = field(default_factory=dict)


class RequestRefused(Exception):
    """The request is answered with this status and message, and the connection is closed."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
