"""The failures of a provider, and the message that the agent gets for each.

The text of a provider's error goes to the record only, because it may contain parts of the key.
"""

from __future__ import annotations

import re
from typing import Literal

from mlebench.gateway.rules import read_object

RETRYABLE = frozenset((408, 409, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529))
OVERLOADED = re.compile("overload", re.IGNORECASE)
MODERATED = re.compile(
    r"moderation|flagged|content[ _-]?(policy|filter|management)|usage polic|safety (system|reason)"
    r"|responsible ?ai|prohibited_content|invalid_prompt",
    re.IGNORECASE,
)
"""How providers say that their filter rejects a request, with status 400 or 403."""

FIELD_NAME = re.compile(r"[a-z][a-z_]{1,40}")

Cause = Literal[
    "key",
    "connection",
    "busy",
    "overloaded",
    "server",
    "redirect",
    "request",
    "moderation",
    "answer",
    "timeout",
]


class ProviderFault(Exception):
    """No usable answer of the provider; the text is for the agent, `detail` for the record."""

    def __init__(
        self, cause: Cause, status: int, message: str, *, detail: str = "", is_billed: bool = False
    ) -> None:
        super().__init__(message)
        self.cause = cause
        self.status = status
        self.detail = detail
        self.is_billed = is_billed
        """Whether the provider may have charged for it."""

        self.provider_status: int | None = None
        self.retry_after = 0.0

    @property
    def code(self) -> str:
        return f"provider_{self.cause}"

    @property
    def is_retryable(self) -> bool:
        is_passing = self.provider_status in RETRYABLE or self.cause == "connection"
        return is_passing and not self.is_billed


def judge_status(status: int, detail: str) -> ProviderFault:
    if 300 <= status < 400:
        return ProviderFault("redirect", 502, "the model provider answers with a redirect")
    if status in (400, 403) and MODERATED.search(detail):
        text = "the model provider's content filter rejects the request"
        return ProviderFault("moderation", 400, text)
    if status in (401, 402, 403) or (status == 400 and "API_KEY_INVALID" in detail):
        return ProviderFault("key", 502, "the model provider does not accept the gateway's key")
    if status == 429:
        return ProviderFault("busy", 429, "the model provider is busy; try again later")
    if status == 529 or (status == 503 and OVERLOADED.search(detail)):
        return overloaded()
    if status >= 500 or status in (408, 409, 425) or status < 300:
        return ProviderFault("server", 502, f"the model provider failed (status {status})")
    return ProviderFault("request", 400, _request_sentence(status, detail))


def _request_sentence(status: int, detail: str) -> str:
    """Our own sentence for what the provider found wrong with a request."""
    low = detail.lower()
    if "context" in low and ("length" in low or "window" in low or "too long" in low):
        return "the request is longer than the model's context (context_length_exceeded)"
    try:
        error = read_object(detail).get("error")
        param = error.get("param") if isinstance(error, dict) else None
    except ValueError:
        param = None
    text = f"the model provider refuses the request (status {status})"
    field_name = param.split(".")[0].split("[")[0] if isinstance(param, str) else ""
    is_name = FIELD_NAME.fullmatch(field_name) is not None
    return f"{text} because of {field_name!r}" if is_name else text


def overloaded(*, is_billed: bool = False) -> ProviderFault:
    text = "the model provider is overloaded; try again later"
    return ProviderFault("overloaded", 529, text, is_billed=is_billed)


def malformed(what: str) -> ProviderFault:
    text = "the model provider's answer cannot be read"
    return ProviderFault("answer", 502, text, detail=what, is_billed=True)


def broken_off(what: str) -> ProviderFault:
    text = "the model provider broke off its answer"
    return ProviderFault("answer", 502, text, detail=what, is_billed=True)


def no_answer_in_time() -> ProviderFault:
    text = "the model provider did not answer in time"
    return ProviderFault("timeout", 504, text, is_billed=True)


def unreachable(error: Exception) -> ProviderFault:
    text = "the model provider cannot be reached"
    return ProviderFault("connection", 502, text, detail=type(error).__name__)
