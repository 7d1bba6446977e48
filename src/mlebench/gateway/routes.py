"""The routes of the gateway, and the call made from a request that `rules.py` accepts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from mlebench.gateway.rules import (
    CHAT_FIELDS,
    RESPONSES_FIELDS,
    Denied,
    check_chat,
    check_responses,
    check_tools,
    not_allowed,
    read_object,
    require_known_fields,
)
from mlebench.gateway.settings import GatewaySettings

MAX_PARTS = 1_000_000


@dataclass(frozen=True)
class Route:
    """A path that exists, with the fields and the check that belong to it."""

    path: str
    """Below the provider's base URL."""

    fields: frozenset[str]
    output_fields: tuple[str, ...]
    """Fields that limit the answer's length; the first is set if the request has none."""

    check: Callable[[dict[str, Any]], None]


@dataclass(frozen=True)
class Call:
    """An accepted request, as it will be sent."""

    route: Route
    asked: dict[str, Any]
    """As the agent sent it."""

    body: dict[str, Any]
    """As the provider gets it."""

    is_stream: bool
    wants_usage: bool
    """Whether the agent itself asked for the usage at the end of a stream."""

    choices: int
    max_output: int


def read_call(route: Route, body: bytes | bytearray, settings: GatewaySettings) -> Call:
    """The call that a request asks for, with every field checked.

    Raises:
        Denied: the request may not pass.
    """
    data = _parse(body)
    for name in [name for name, value in data.items() if value is None]:
        del data[name]
    require_known_fields(data, route.fields, "")
    asked = dict(data)
    if data.get("model") != settings.model:
        raise Denied(404, f"this run may use the model {settings.model!r} only", "model_not_found")
    if data.pop("store", False):
        raise not_allowed("store")
    data["store"] = False
    check_tools(data, is_chat=route is CHAT)
    route.check(data)
    return _bound(route, asked, data, settings)


def _bound(
    route: Route, asked: dict[str, Any], data: dict[str, Any], settings: GatewaySettings
) -> Call:
    """Bound what multiplies the cost: choices and length of the answer."""
    choices = data.get("n", 1)
    if not _is_count(choices) or choices > settings.max_choices:
        raise Denied(400, f"'n' may be 1 to {settings.max_choices}", "not_allowed")
    limits = []
    for name in route.output_fields:
        if name in data:
            if not _is_count(data[name]):
                raise Denied(400, f"{name!r} must be a positive whole number", "invalid_request")
            data[name] = min(data[name], settings.max_output_tokens)
            limits.append(data[name])
    if not limits:
        # A reservation needs an upper bound that the provider keeps.
        if settings.group_budget or settings.run_budget:
            data[_output_field(route, settings)] = settings.max_output_tokens
        limits = [settings.max_output_tokens]
    is_stream = data.get("stream") is True
    options = data.pop("stream_options", None)
    if is_stream and route is CHAT:
        data["stream_options"] = {"include_usage": True}
    # Local servers do not know the field, and store nothing.
    if settings.is_local and route is CHAT:
        del data["store"]
    wants_usage = isinstance(options, dict) and options.get("include_usage") is True
    return Call(route, asked, data, is_stream, wants_usage, choices, max(limits))


def _output_field(route: Route, settings: GatewaySettings) -> str:
    """OpenAI's newer models accept only the newer name, other servers often only the older one."""
    if route is CHAT and "api.openai.com" not in settings.base_url:
        return "max_tokens"
    return route.output_fields[0]


def _parse(body: bytes | bytearray) -> dict[str, Any]:
    # A few megabytes of brackets would become gigabytes of objects.
    if sum(body.count(mark) for mark in (b",", b"[", b"{")) > MAX_PARTS:
        raise Denied(413, "the request has too many parts", "invalid_request")
    try:
        return read_object(body)
    except ValueError as error:
        raise Denied(400, f"the request is {error}", "invalid_request") from None


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1


CHAT = Route("/chat/completions", CHAT_FIELDS, ("max_completion_tokens", "max_tokens"), check_chat)
RESPONSES = Route("/responses", RESPONSES_FIELDS, ("max_output_tokens",), check_responses)
ROUTES = {("POST", "/v1/chat/completions"): CHAT, ("POST", "/v1/responses"): RESPONSES}
