"""What the stand-in can do wrong; each fault answers one request and is then gone."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Status:
    """Answer with a status and no content of value."""

    code: int
    message: str = "made up by the stand-in"
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes | None = None
    """Instead of the JSON error that Kaggle sends."""

    content_type: str = "application/json"


@dataclass(frozen=True)
class Cut:
    """Announce the whole, send so many bytes of the body, then drop the connection."""

    after: int
    with_reset: bool = False
    """Drop it with a reset instead of an orderly end."""


@dataclass(frozen=True)
class Silence:
    """Take the request and say nothing for a while, then hang up."""

    seconds: float


Fault = Status | Cut | Silence
