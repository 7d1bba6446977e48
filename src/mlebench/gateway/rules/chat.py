"""The permitted parts of a request to OpenAI's chat completions."""

from __future__ import annotations

from typing import Any

from mlebench.gateway.rules.shapes import (
    RequestCheck,
    Shape,
    anything,
    by_kind,
    fields,
    flag,
    image_address,
    list_of,
    not_allowed,
    number,
    one_of,
    text,
    text_or,
    wrong_type,
)

ROLES = ("system", "developer", "user", "assistant", "tool", "function")
OWN_TOOLS = "; only tools of your own may be used here"

_function = fields(
    {"name": text, "description": text, "parameters": anything, "strict": flag},
    required=("name",),
)
grammar = by_kind(
    {
        "text": fields({"type": text}),
        "grammar": fields(
            {
                "type": text,
                "syntax": text,
                "definition": text,
                "grammar": fields({"syntax": text, "definition": text}),
            }
        ),
    }
)
_custom = fields({"name": text, "description": text, "format": grammar}, required=("name",))
_tool = by_kind(
    {
        "function": fields({"type": text, "function": _function}, required=("function",)),
        "custom": fields({"type": text, "custom": _custom}, required=("custom",)),
    },
    hint=OWN_TOOLS,
)
_named = fields({"name": text})
_tool_choice = by_kind(
    {
        "function": fields({"type": text, "function": _named, "name": text}),
        "custom": fields({"type": text, "custom": _named, "name": text}),
    }
)


def tool_choice(value: Any, place: str, check: RequestCheck) -> Any:
    if isinstance(value, dict):
        return _tool_choice(value, place, check)
    return one_of("auto", "none", "required")(value, place, check)


def _function_call(value: Any, place: str, check: RequestCheck) -> Any:
    if isinstance(value, dict):
        return _named(value, place, check)
    return one_of("auto", "none")(value, place, check)


def _image(value: Any, place: str, check: RequestCheck) -> Any:
    if isinstance(value, dict):
        return fields({"url": image_address, "detail": text}, required=("url",))(
            value, place, check
        )
    return image_address(value, place, check)


_content = text_or(
    list_of(
        by_kind(
            {
                "text": fields({"type": text, "text": text}),
                "image_url": fields({"type": text, "image_url": _image}),
                "refusal": fields({"type": text, "refusal": text}),
            }
        )
    )
)
_call = by_kind(
    {
        "function": fields(
            {
                "id": text,
                "type": text,
                "function": fields({"name": text, "arguments": text}),
                "index": number,
            }
        ),
        "custom": fields(
            {"id": text, "type": text, "custom": fields({"name": text, "input": text})}
        ),
    },
    default="function",
)
_message = fields(
    {
        "role": one_of(*ROLES),
        "content": _content,
        "name": text,
        "tool_calls": list_of(_call),
        "tool_call_id": text,
        "function_call": fields({"name": text, "arguments": text}),
        "refusal": text,
        "reasoning_content": text,
        "reasoning": text,
    },
    required=("role",),
)
_format_fields: dict[str, Shape] = {
    "type": one_of("text", "json_object", "json_schema"),
    "name": text,
    "description": text,
    "schema": anything,
    "strict": flag,
}
response_format = fields(
    {**_format_fields, "json_schema": fields(_format_fields)}, required=("type",)
)


def _stop(value: Any, place: str, check: RequestCheck) -> Any:
    for stop in value if isinstance(value, list) else [value]:
        if not isinstance(stop, str):
            raise wrong_type("stop", "a text or a list of texts")
    return value


def _logit_bias(value: Any, place: str, check: RequestCheck) -> Any:
    if not isinstance(value, dict) or not all(isinstance(x, int | float) for x in value.values()):
        raise wrong_type("logit_bias", "an object of numbers")
    return value


def store(value: Any, place: str, check: RequestCheck) -> Any:
    if value:
        raise not_allowed(place)
    return False


CHAT_REQUEST = fields(
    {
        "model": text,
        "messages": list_of(_message),
        "tools": list_of(_tool),
        "tool_choice": tool_choice,
        "parallel_tool_calls": flag,
        "functions": list_of(_function),
        "function_call": _function_call,
        "temperature": number,
        "top_p": number,
        "top_k": number,
        "min_p": number,
        "n": number,
        "stop": _stop,
        "max_tokens": number,
        "max_completion_tokens": number,
        "presence_penalty": number,
        "frequency_penalty": number,
        "repetition_penalty": number,
        "logit_bias": _logit_bias,
        "logprobs": flag,
        "top_logprobs": number,
        "response_format": response_format,
        "seed": number,
        "stream": flag,
        "stream_options": fields({"include_usage": flag, "include_obfuscation": flag}),
        "store": store,
        "reasoning_effort": text,
        "verbosity": text,
        "user": text,
        "prompt_cache_key": text,
    },
    required=("messages",),
)
