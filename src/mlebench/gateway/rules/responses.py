"""The permitted parts of a request to OpenAI's Responses."""

from __future__ import annotations

from mlebench.gateway.rules.chat import (
    OWN_TOOLS,
    ROLES,
    grammar,
    response_format,
    store,
    tool_choice,
)
from mlebench.gateway.rules.shapes import (
    anything,
    by_kind,
    each,
    empty,
    fields,
    flag,
    image_address,
    list_of,
    number,
    one_of,
    text,
    text_or,
)

_text = fields(**each(text, "type text"))
_parts = text_or(
    list_of(
        by_kind(
            **each(_text, "input_text summary_text reasoning_text"),
            output_text=fields(**each(text, "type text"), **each(empty, "annotations logprobs")),
            refusal=fields(**each(text, "type refusal")),
            input_image=fields("image_url", **each(text, "type detail"), image_url=image_address),
        )
    )
)
_common = "type id status"
_output = fields(**each(text, f"{_common} call_id"), output=_parts)
_item = by_kind(
    "message",
    message=fields("role", **each(text, f"{_common} phase"), role=one_of(*ROLES), content=_parts),
    function_call=fields(**each(text, f"{_common} call_id name arguments namespace")),
    custom_tool_call=fields(**each(text, f"{_common} call_id name input namespace")),
    **each(_output, "function_call_output custom_tool_call_output"),
    reasoning=fields(
        **each(text, f"{_common} encrypted_content"), **each(_parts, "summary content")
    ),
)
_own = {
    "function": fields(
        "name", **each(text, "type name description"), parameters=anything, strict=flag
    ),
    "custom": fields("name", **each(text, "type name description"), format=grammar),
}
_tool = by_kind(
    None,
    OWN_TOOLS,
    **_own,
    namespace=fields(
        "name",
        **each(text, "type name description"),
        tools=list_of(by_kind(None, OWN_TOOLS, **_own)),
    ),
)
RESPONSES_REQUEST = fields(
    "input",
    input=text_or(list_of(_item)),
    tools=list_of(_tool),
    tool_choice=tool_choice,
    reasoning=fields(**each(text, "effort summary")),
    text=fields(format=response_format, verbosity=text),
    stream_options=fields(include_obfuscation=flag),
    store=store,
    include=list_of(one_of("reasoning.encrypted_content")),
    **each(text, "model instructions truncation user prompt_cache_key"),
    **each(number, "temperature top_p max_output_tokens top_logprobs"),
    **each(flag, "parallel_tool_calls stream"),
)
