"""Which fields and kinds of content a request may have; all others are refused.

The rules exist to refuse fields that refer to other resources or store data at the provider, tools
that the provider itself would run, and addresses that it would fetch.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

MAX_DEPTH = 100


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


CHAT_FIELDS = _names(
    """model messages tools tool_choice parallel_tool_calls functions function_call temperature
    top_p top_k min_p n stop max_tokens max_completion_tokens presence_penalty frequency_penalty
    repetition_penalty logit_bias logprobs top_logprobs response_format seed stream stream_options
    store reasoning_effort verbosity user"""
)
RESPONSES_FIELDS = _names(
    """model input instructions tools tool_choice parallel_tool_calls temperature top_p
    max_output_tokens reasoning text truncation stream store include top_logprobs user"""
)
ROLES = ("system", "developer", "user", "assistant", "tool", "function")
MESSAGE_KEYS = _names(
    """role content name tool_calls tool_call_id function_call refusal reasoning_content
    reasoning"""
)
ITEM_KEYS = {
    "message": _names("type role content id status phase"),
    "function_call": _names("type id call_id name arguments status namespace"),
    "function_call_output": _names("type id call_id output status"),
    "reasoning": _names("type id summary content encrypted_content status"),
}
INLINE_IMAGE = re.compile(r"data:image/[\w.+-]{1,40};base64,[A-Za-z0-9+/\s]*={0,2}\s*")
CALL_KEYS = _names("name arguments")
FUNCTION_KEYS = _names("name description parameters strict")
FORMAT_KEYS = _names("type json_schema name description schema strict")
FORMATS = ("text", "json_object", "json_schema")
CHAT_PARTS = {
    "text": _names("text"),
    "image_url": _names("image_url"),
    "refusal": _names("refusal"),
}
RESPONSES_PARTS = {
    "input_text": _names("text"),
    "output_text": _names("text annotations logprobs"),
    "summary_text": _names("text"),
    "reasoning_text": _names("text"),
    "refusal": _names("refusal"),
    "input_image": _names("image_url detail"),
}


TEXT_FIELDS = _names(
    """user instructions truncation reasoning_effort verbosity name tool_call_id refusal
    reasoning_content id call_id status phase namespace arguments encrypted_content detail
    description effort"""
)
"""Fields whose value is a string wherever they occur; every allowed field has a known type."""

NUMBER_FIELDS = _names(
    """temperature top_p top_k min_p presence_penalty frequency_penalty repetition_penalty
    top_logprobs seed"""
)
FLAG_FIELDS = _names("stream parallel_tool_calls strict")


class Denied(Exception):
    """The request is not forwarded; the text is for the agent."""

    def __init__(self, status: int, message: str, code: str) -> None:
        super().__init__(message)
        self.status = status
        self.code = code


def read_object(text: bytes | bytearray | str) -> dict[str, Any]:
    """Parse a JSON object of limited depth without NaN.

    Raises:
        ValueError: what the text is instead.
    """
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


def not_allowed(what: str) -> Denied:
    return Denied(400, f"not allowed: {what[:200]}", "not_allowed")


def require_known_fields(data: Any, allowed: frozenset[str], place: str) -> None:
    if not isinstance(data, dict):
        raise Denied(400, f"{place.rstrip('.')} must be an object", "invalid_request")
    for name, value in data.items():
        if name not in allowed:
            raise not_allowed(f"{place}{name}")
        _check_type(name, value, place)


def _check_type(name: str, value: Any, place: str) -> None:
    """Fields with a simple value have no other: an object could contain unchecked fields."""
    if value is None:
        return
    if name in TEXT_FIELDS and not isinstance(value, str):
        raise _wrong_type(place + name, "a text")
    if name in NUMBER_FIELDS and (isinstance(value, bool) or not isinstance(value, int | float)):
        raise _wrong_type(place + name, "a number")
    if name in FLAG_FIELDS and not isinstance(value, bool):
        raise _wrong_type(place + name, "true or false")


def _wrong_type(place: str, expected: str) -> Denied:
    return Denied(400, f"{place[:200]!r} must be {expected}", "invalid_request")


def _require_list(value: Any, place: str) -> list[Any]:
    if not isinstance(value, list):
        raise Denied(400, f"{place} must be a list", "invalid_request")
    return value


def check_tools(data: dict[str, Any], *, is_chat: bool) -> None:
    for number, tool in enumerate(_require_list(data.get("tools", []), "tools")):
        _check_tool(tool, f"tools[{number}].", is_chat=is_chat)
    choice = data.get("tool_choice", "auto")
    if isinstance(choice, dict):
        if choice.get("type") != "function":
            raise not_allowed(f"tool_choice of type {choice.get('type')!r}")
        require_known_fields(choice, _names("type function name"), "tool_choice.")
        if "function" in choice:
            require_known_fields(choice["function"], _names("name"), "tool_choice.function.")
    elif choice not in ("auto", "none", "required"):
        raise not_allowed(f"tool_choice {choice!r}")


def _check_tool(tool: Any, place: str, *, is_chat: bool) -> None:
    kind = tool.get("type") if isinstance(tool, dict) else None
    if kind != "function":
        raise not_allowed(f"{place}type {kind!r}; only functions of your own are tools here")
    if is_chat:
        require_known_fields(tool, _names("type function"), place)
        require_known_fields(tool.get("function"), FUNCTION_KEYS, f"{place}function.")
    else:
        require_known_fields(tool, FUNCTION_KEYS | {"type"}, place)


def check_chat(data: dict[str, Any]) -> None:
    for number, message in enumerate(_require_list(data.get("messages"), "messages")):
        place = f"messages[{number}]."
        require_known_fields(message, MESSAGE_KEYS, place)
        if message.get("role") not in ROLES:
            raise not_allowed(f"{place}role {message.get('role')!r}")
        _check_content(message.get("content"), CHAT_PARTS, f"{place}content")
        _check_calls(message, place)
    for number, function in enumerate(_require_list(data.get("functions", []), "functions")):
        require_known_fields(function, FUNCTION_KEYS, f"functions[{number}].")
    if isinstance(data.get("function_call"), dict):
        require_known_fields(data["function_call"], _names("name"), "function_call.")
    elif data.get("function_call", "auto") not in ("auto", "none"):
        raise not_allowed("function_call other than auto, none or a function of your own")
    _check_format(data.get("response_format"), "response_format")
    _check_sampling(data)


def _check_calls(message: dict[str, Any], place: str) -> None:
    """Calls that an earlier answer made, sent back as part of the conversation."""
    for call in _require_list(message.get("tool_calls") or [], f"{place}tool_calls"):
        inside = f"{place}tool_calls."
        require_known_fields(call, _names("id type function index"), inside)
        if call.get("type", "function") != "function":
            raise not_allowed(f"{place}tool_calls of type {call.get('type')!r}")
        require_known_fields(call.get("function", {}), CALL_KEYS, f"{inside}function.")
        if not isinstance(call.get("index", 0), int):
            raise _wrong_type(f"{inside}index", "a whole number")
    require_known_fields(message.get("function_call") or {}, CALL_KEYS, f"{place}function_call.")
    if not isinstance(message.get("reasoning") or "", str):
        raise _wrong_type(f"{place}reasoning", "a text")


def _check_sampling(data: dict[str, Any]) -> None:
    """Fields whose value is a list or an object of simple values."""
    stops = data.get("stop", [])
    for stop in stops if isinstance(stops, list) else [stops]:
        if not isinstance(stop, str):
            raise _wrong_type("stop", "a text or a list of texts")
    bias = data.get("logit_bias", {})
    if not isinstance(bias, dict) or not all(isinstance(x, int | float) for x in bias.values()):
        raise _wrong_type("logit_bias", "an object of numbers")
    if not isinstance(data.get("logprobs", False), bool):
        raise _wrong_type("logprobs", "true or false")
    options = data.get("stream_options", {})
    require_known_fields(options, _names("include_usage include_obfuscation"), "stream_options.")


def check_responses(data: dict[str, Any]) -> None:
    items = data.get("input")
    if not isinstance(items, str):
        for number, item in enumerate(_require_list(items, "input")):
            _check_item(item, f"input[{number}].")
    for name in _require_list(data.get("include", []), "include"):
        if name != "reasoning.encrypted_content":
            raise not_allowed(f"include {name!r}")
    text = data.get("text", {})
    require_known_fields(text, _names("format verbosity"), "text.")
    _check_format(text.get("format"), "text.format")
    reasoning = data.get("reasoning", {})
    require_known_fields(reasoning, _names("effort summary"), "reasoning.")
    if not isinstance(reasoning.get("summary") or "", str):
        raise _wrong_type("reasoning.summary", "a text")


def _check_item(item: Any, place: str) -> None:
    kind = item.get("type", "message") if isinstance(item, dict) else None
    if not isinstance(kind, str) or kind not in ITEM_KEYS:
        raise not_allowed(f"{place}type {kind!r}")
    require_known_fields(item, ITEM_KEYS[kind], place)
    if kind == "message" and item.get("role") not in ROLES:
        raise not_allowed(f"{place}role {item.get('role')!r}")
    for name in ("content", "output", "summary"):
        _check_content(item.get(name), RESPONSES_PARTS, f"{place}{name}")


def _check_content(content: Any, kinds: Mapping[str, frozenset[str]], place: str) -> None:
    if content is None or isinstance(content, str):
        return
    for number, part in enumerate(_require_list(content, place)):
        inside = f"{place}[{number}]."
        kind = part.get("type") if isinstance(part, dict) else None
        if not isinstance(kind, str) or kind not in kinds:
            raise not_allowed(f"{inside}type {kind!r}")
        require_known_fields(part, kinds[kind] | {"type"}, inside)
        if not isinstance(part.get("text", ""), str):
            raise _wrong_type(f"{inside}text", "a text")
        for name in ("annotations", "logprobs"):
            # Part of an earlier answer; a request does not need it.
            if _require_list(part.get(name) or [], f"{inside}{name}"):
                raise not_allowed(f"{inside}{name} that is not empty")
        if "image_url" in part:
            _check_image(part["image_url"], f"{inside}image_url")


def _check_image(image: Any, place: str) -> None:
    if isinstance(image, dict):
        require_known_fields(image, _names("url detail"), f"{place}.")
        image = image.get("url")
    if not isinstance(image, str) or not INLINE_IMAGE.fullmatch(image):
        raise not_allowed(f"{place}; images must be inline, as data:image/…;base64,…")


def inline_images(data: Mapping[str, Any]) -> list[str]:
    """The images of a checked request: texts at the places where `_check_image` looked."""
    messages, items = data.get("messages"), data.get("input")
    found = []
    for parent in (*objects_in(messages), *objects_in(items)):
        for name in ("content", "output", "summary"):
            for part in objects_in(parent.get(name)):
                image = part.get("image_url")
                image = image.get("url") if isinstance(image, dict) else image
                if isinstance(image, str):
                    found.append(image)
    return found


def objects_in(value: Any) -> list[dict[str, Any]]:
    """The objects of a list; none if it is no list."""
    return [part for part in value if isinstance(part, dict)] if isinstance(value, list) else []


def _check_format(value: Any, place: str) -> None:
    if value is None:
        return
    if not isinstance(value, dict) or value.get("type") not in FORMATS:
        raise not_allowed(f"{place} other than {', '.join(FORMATS)}")
    require_known_fields(value, FORMAT_KEYS, f"{place}.")
    if "json_schema" in value:
        require_known_fields(value["json_schema"], FORMAT_KEYS, f"{place}.json_schema.")
