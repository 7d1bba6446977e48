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

_parts = text_or(
    list_of(
        by_kind(
            {
                "input_text": fields({"type": text, "text": text}),
                "output_text": fields(
                    {"type": text, "text": text, "annotations": empty, "logprobs": empty}
                ),
                "summary_text": fields({"type": text, "text": text}),
                "reasoning_text": fields({"type": text, "text": text}),
                "refusal": fields({"type": text, "refusal": text}),
                "input_image": fields(
                    {"type": text, "image_url": image_address, "detail": text},
                    required=("image_url",),
                ),
            }
        )
    )
)
_common = {"type": text, "id": text, "status": text}
_item = by_kind(
    {
        "message": fields(
            {**_common, "role": one_of(*ROLES), "content": _parts, "phase": text},
            required=("role",),
        ),
        "function_call": fields(
            {**_common, "call_id": text, "name": text, "arguments": text, "namespace": text}
        ),
        "function_call_output": fields({**_common, "call_id": text, "output": _parts}),
        "custom_tool_call": fields(
            {**_common, "call_id": text, "name": text, "input": text, "namespace": text}
        ),
        "custom_tool_call_output": fields({**_common, "call_id": text, "output": _parts}),
        "reasoning": fields(
            {**_common, "summary": _parts, "content": _parts, "encrypted_content": text}
        ),
    },
    default="message",
)
_own = {
    "function": fields(
        {"type": text, "name": text, "description": text, "parameters": anything, "strict": flag},
        required=("name",),
    ),
    "custom": fields(
        {"type": text, "name": text, "description": text, "format": grammar}, required=("name",)
    ),
}
_tool = by_kind(
    {
        **_own,
        "namespace": fields(
            {
                "type": text,
                "name": text,
                "description": text,
                "tools": list_of(by_kind(_own, hint=OWN_TOOLS)),
            },
            required=("name",),
        ),
    },
    hint=OWN_TOOLS,
)

RESPONSES_REQUEST = fields(
    {
        "model": text,
        "input": text_or(list_of(_item)),
        "instructions": text,
        "tools": list_of(_tool),
        "tool_choice": tool_choice,
        "parallel_tool_calls": flag,
        "temperature": number,
        "top_p": number,
        "max_output_tokens": number,
        "reasoning": fields({"effort": text, "summary": text}),
        "text": fields({"format": response_format, "verbosity": text}),
        "truncation": text,
        "stream": flag,
        "stream_options": fields({"include_obfuscation": flag}),
        "store": store,
        "include": list_of(one_of("reasoning.encrypted_content")),
        "top_logprobs": number,
        "user": text,
        "prompt_cache_key": text,
    },
    required=("input",),
)
