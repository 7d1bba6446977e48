"""The permitted parts of a request to OpenAI's chat completions."""

from __future__ import annotations

from typing import Any

from mlebench.gateway.rules.shapes import (
    RequestCheck,
    Shape,
    anything,
    by_kind,
    each,
    fields,
    flag,
    image_address,
    list_of,
    not_allowed,
    number,
    object_or,
    one_of,
    text,
    text_or,
    wrong_type,
)

ROLES = ("system", "developer", "user", "assistant", "tool", "function")
OWN_TOOLS = "; only tools of your own may be used here"

_function = fields("name", **each(text, "name description"), parameters=anything, strict=flag)
_syntax = each(text, "syntax definition")
grammar = by_kind(
    text=fields(type=text), grammar=fields(type=text, grammar=fields(**_syntax), **_syntax)
)
_custom = fields("name", **each(text, "name description"), format=grammar)
_tool = by_kind(
    None,
    OWN_TOOLS,
    function=fields("function", type=text, function=_function),
    custom=fields("custom", type=text, custom=_custom),
)
_named = fields(name=text)
tool_choice = object_or(
    by_kind(
        function=fields(**each(text, "type name"), function=_named),
        custom=fields(**each(text, "type name"), custom=_named),
    ),
    one_of("auto", "none", "required"),
)
_image = object_or(fields("url", url=image_address, detail=text), image_address)
_content = text_or(
    list_of(
        by_kind(
            text=fields(**each(text, "type text")),
            image_url=fields(type=text, image_url=_image),
            refusal=fields(**each(text, "type refusal")),
        )
    )
)
_called = fields(**each(text, "name arguments"))
_call = by_kind(
    "function",
    function=fields(**each(text, "id type"), function=_called, index=number),
    custom=fields(**each(text, "id type"), custom=fields(**each(text, "name input"))),
)
_message = fields(
    "role",
    role=one_of(*ROLES),
    content=_content,
    tool_calls=list_of(_call),
    function_call=_called,
    **each(text, "name tool_call_id refusal reasoning_content reasoning"),
)
_format: dict[str, Shape] = {
    "type": one_of("text", "json_object", "json_schema"),
    **each(text, "name description"),
    "schema": anything,
    "strict": flag,
}
response_format = fields("type", **_format, json_schema=fields(**_format))


def _logit_bias(value: Any, place: str, check: RequestCheck) -> Any:
    if not isinstance(value, dict) or not all(isinstance(x, int | float) for x in value.values()):
        raise wrong_type("logit_bias", "an object of numbers")
    return value


def store(value: Any, place: str, check: RequestCheck) -> Any:
    if value:
        raise not_allowed(place)
    return False


CHAT_REQUEST = fields(
    "messages",
    messages=list_of(_message),
    tools=list_of(_tool),
    tool_choice=tool_choice,
    functions=list_of(_function),
    function_call=object_or(_named, one_of("auto", "none")),
    stop=text_or(list_of(text)),
    logit_bias=_logit_bias,
    response_format=response_format,
    stream_options=fields(**each(flag, "include_usage include_obfuscation")),
    store=store,
    **each(text, "model reasoning_effort verbosity user prompt_cache_key"),
    **each(flag, "parallel_tool_calls logprobs stream"),
    **each(
        number,
        """temperature top_p top_k min_p n max_tokens max_completion_tokens presence_penalty
        frequency_penalty repetition_penalty top_logprobs seed""",
    ),
)
