"""What passes: a fixed table of routes, and for each the fields and kinds of content it may have.

Whatever is not named here is refused by its name: fields that point elsewhere or keep state at the
provider, tools that the provider itself would run, addresses that it would fetch.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from mlebench.gateway.settings import GatewaySettings

MAX_PARTS = 1_000_000
MAX_DEPTH = 100
CHAT_FIELDS = frozenset(
    """model messages tools tool_choice parallel_tool_calls functions function_call temperature
    top_p top_k min_p n stop max_tokens max_completion_tokens presence_penalty frequency_penalty
    repetition_penalty logit_bias logprobs top_logprobs response_format seed stream stream_options
    store reasoning_effort verbosity user""".split()
)
RESPONSES_FIELDS = frozenset(
    """model input instructions tools tool_choice parallel_tool_calls temperature top_p
    max_output_tokens reasoning text truncation stream store include top_logprobs user""".split()
)
ROLES = ("system", "developer", "user", "assistant", "tool", "function")
MESSAGE_KEYS = frozenset(
    """role content name tool_calls tool_call_id function_call refusal reasoning_content
    reasoning""".split()
)
ITEM_KEYS = {
    "message": frozenset(("type", "role", "content", "id", "status", "phase")),
    "function_call": frozenset(
        ("type", "id", "call_id", "name", "arguments", "status", "namespace")
    ),
    "function_call_output": frozenset(("type", "id", "call_id", "output", "status")),
    "reasoning": frozenset(("type", "id", "summary", "content", "encrypted_content", "status")),
}
FUNCTION_KEYS = frozenset(("name", "description", "parameters", "strict"))
FORMATS = ("text", "json_object", "json_schema")


class Denied(Exception):
    """A request that does not go to the provider; the text is for the agent."""

    def __init__(self, status: int, message: str, code: str) -> None:
        super().__init__(message)
        self.status = status
        self.code = code


@dataclass(frozen=True)
class Route:
    """A path that exists, and what belongs to it."""

    path: str
    """Behind the provider's base URL."""

    fields: frozenset[str]
    output_fields: tuple[str, ...]
    """Those that bound the answer's length; the first is set where none is."""

    judge: Callable[[dict[str, Any]], None]


@dataclass(frozen=True)
class Call:
    """A request that may pass, as it will be sent."""

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
    """Judge a request; what comes out holds nothing that was not looked at."""
    data = _parse(body)
    for name in [name for name, value in data.items() if value is None]:
        del data[name]
    _only(data, route.fields, "")
    asked = dict(data)
    if data.get("model") != settings.model:
        raise Denied(404, f"this run may use the model {settings.model!r} only", "model_not_found")
    if data.pop("store", False):
        raise _not_allowed("store")
    data["store"] = False
    _judge_shared(data, is_chat=route is CHAT)
    route.judge(data)
    return _bounded(route, asked, data, settings)


def _bounded(
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
    # Local servers do not know the field, and keep nothing.
    if settings.is_local and route is CHAT:
        del data["store"]
    wants_usage = isinstance(options, dict) and options.get("include_usage") is True
    return Call(route, asked, data, is_stream, wants_usage, choices, max(limits))


def _output_field(route: Route, settings: GatewaySettings) -> str:
    """OpenAI's newer models know the newer name only, other servers often the older one only."""
    if route is CHAT and "api.openai.com" not in settings.base_url:
        return "max_tokens"
    return route.output_fields[0]


def _parse(body: bytes | bytearray) -> dict[str, Any]:
    # A few megabytes of brackets become gigabytes of objects.
    if sum(body.count(mark) for mark in (b",", b"[", b"{")) > MAX_PARTS:
        raise Denied(413, "the request has too many parts", "invalid_request")
    try:
        return read_object(body)
    except ValueError as error:
        raise Denied(400, f"the request is {error}", "invalid_request") from None


def read_object(text: bytes | bytearray | str) -> dict[str, Any]:
    """A JSON object of bounded depth without NaN, or a ValueError that says what it is instead."""
    try:
        data = json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise ValueError("no valid JSON") from None
    if not isinstance(data, dict):
        raise ValueError("no JSON object")
    level: list[Any] = [data]
    for _ in range(MAX_DEPTH):
        level = [part for parent in level for part in _parts(parent)]
        if not level:
            return data
    raise ValueError("nested too deeply")


def _parts(value: Any) -> list[Any]:
    inside = value.values() if isinstance(value, dict) else value
    return [part for part in inside if isinstance(part, dict | list)]


def _no_constant(name: str) -> Any:
    raise ValueError(name)


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1


def _not_allowed(what: str) -> Denied:
    return Denied(400, f"not allowed: {what[:200]}", "not_allowed")


def _only(data: Any, allowed: frozenset[str], place: str) -> None:
    if not isinstance(data, dict):
        raise Denied(400, f"{place.rstrip('.')} must be an object", "invalid_request")
    for name in data:
        if name not in allowed:
            raise _not_allowed(f"{place}{name}")


def _items(value: Any, place: str) -> list[Any]:
    if not isinstance(value, list):
        raise Denied(400, f"{place} must be a list", "invalid_request")
    return value


def _judge_shared(data: dict[str, Any], *, is_chat: bool) -> None:
    for number, tool in enumerate(_items(data.get("tools", []), "tools")):
        _judge_tool(tool, f"tools[{number}].", is_chat=is_chat)
    choice = data.get("tool_choice", "auto")
    if isinstance(choice, dict):
        if choice.get("type") != "function":
            raise _not_allowed(f"tool_choice of type {choice.get('type')!r}")
        _only(choice, frozenset(("type", "function", "name")), "tool_choice.")
    elif choice not in ("auto", "none", "required"):
        raise _not_allowed(f"tool_choice {choice!r}")
    if not isinstance(data.get("stream", False), bool):
        raise Denied(400, "'stream' must be true or false", "invalid_request")


def _judge_tool(tool: Any, place: str, *, is_chat: bool) -> None:
    kind = tool.get("type") if isinstance(tool, dict) else None
    if kind != "function":
        raise _not_allowed(f"{place}type {kind!r}; only functions of your own are tools here")
    if is_chat:
        _only(tool, frozenset(("type", "function")), place)
        _only(tool.get("function"), FUNCTION_KEYS, f"{place}function.")
    else:
        _only(tool, FUNCTION_KEYS | {"type"}, place)


def _judge_chat(data: dict[str, Any]) -> None:
    for number, message in enumerate(_items(data.get("messages"), "messages")):
        place = f"messages[{number}]."
        _only(message, MESSAGE_KEYS, place)
        if message.get("role") not in ROLES:
            raise _not_allowed(f"{place}role {message.get('role')!r}")
        _judge_content(message.get("content"), CHAT_PARTS, f"{place}content")
        for call in _items(message.get("tool_calls") or [], f"{place}tool_calls"):
            _only(call, frozenset(("id", "type", "function", "index")), f"{place}tool_calls.")
            if call.get("type", "function") != "function":
                raise _not_allowed(f"{place}tool_calls of type {call.get('type')!r}")
    for number, function in enumerate(_items(data.get("functions", []), "functions")):
        _only(function, FUNCTION_KEYS, f"functions[{number}].")
    _judge_format(data.get("response_format"), "response_format")


def _judge_responses(data: dict[str, Any]) -> None:
    items = data.get("input")
    if not isinstance(items, str):
        for number, item in enumerate(_items(items, "input")):
            _judge_item(item, f"input[{number}].")
    for name in _items(data.get("include", []), "include"):
        if name != "reasoning.encrypted_content":
            raise _not_allowed(f"include {name!r}")
    text = data.get("text", {})
    _only(text, frozenset(("format", "verbosity")), "text.")
    _judge_format(text.get("format"), "text.format")
    _only(data.get("reasoning", {}), frozenset(("effort", "summary")), "reasoning.")


def _judge_item(item: Any, place: str) -> None:
    kind = item.get("type", "message") if isinstance(item, dict) else None
    if not isinstance(kind, str) or kind not in ITEM_KEYS:
        raise _not_allowed(f"{place}type {kind!r}")
    _only(item, ITEM_KEYS[kind], place)
    if kind == "message" and item.get("role") not in ROLES:
        raise _not_allowed(f"{place}role {item.get('role')!r}")
    for name in ("content", "output", "summary"):
        _judge_content(item.get(name), RESPONSES_PARTS, f"{place}{name}")


def _judge_content(content: Any, kinds: Mapping[str, frozenset[str]], place: str) -> None:
    if content is None or isinstance(content, str):
        return
    for number, part in enumerate(_items(content, place)):
        inside = f"{place}[{number}]."
        kind = part.get("type") if isinstance(part, dict) else None
        if not isinstance(kind, str) or kind not in kinds:
            raise _not_allowed(f"{inside}type {kind!r}")
        _only(part, kinds[kind] | {"type"}, inside)
        if "image_url" in part:
            _judge_image(part["image_url"], f"{inside}image_url")


def _judge_image(image: Any, place: str) -> None:
    if isinstance(image, dict):
        _only(image, frozenset(("url", "detail")), f"{place}.")
        image = image.get("url")
    if not isinstance(image, str) or not image.startswith("data:image/"):
        raise _not_allowed(f"{place}; images must be inline, as data:image/…")


def _judge_format(value: Any, place: str) -> None:
    if value is not None and (not isinstance(value, dict) or value.get("type") not in FORMATS):
        raise _not_allowed(f"{place} other than {', '.join(FORMATS)}")


CHAT_PARTS = {
    "text": frozenset(("text",)),
    "image_url": frozenset(("image_url",)),
    "refusal": frozenset(("refusal",)),
}
RESPONSES_PARTS = {
    "input_text": frozenset(("text",)),
    "output_text": frozenset(("text", "annotations", "logprobs")),
    "summary_text": frozenset(("text",)),
    "reasoning_text": frozenset(("text",)),
    "refusal": frozenset(("refusal",)),
    "input_image": frozenset(("image_url", "detail")),
}
CHAT = Route("/chat/completions", CHAT_FIELDS, ("max_completion_tokens", "max_tokens"), _judge_chat)
RESPONSES = Route("/responses", RESPONSES_FIELDS, ("max_output_tokens",), _judge_responses)
ROUTES = {("POST", "/v1/chat/completions"): CHAT, ("POST", "/v1/responses"): RESPONSES}
