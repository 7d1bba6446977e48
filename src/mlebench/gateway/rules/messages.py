"""The permitted parts of a request to Anthropic's messages, and the permitted betas."""

from __future__ import annotations

from typing import Any

from mlebench.gateway.rules.chat import OWN_TOOLS
from mlebench.gateway.rules.shapes import (
    RequestCheck,
    anything,
    by_kind,
    each,
    empty,
    fields,
    flag,
    image_data,
    image_type,
    json_object,
    list_of,
    names,
    number,
    objects_in,
    one_of,
    text,
    text_or,
    wrong_type,
)

BETAS = names(
    """claude-code-20250219 interleaved-thinking-2025-05-14 context-management-2025-06-27
    fine-grained-tool-streaming-2025-05-14 token-efficient-tools-2025-02-19
    prompt-caching-2024-07-31 extended-cache-ttl-2025-04-11 prompt-caching-scope-2026-01-05
    output-128k-2025-02-19 context-1m-2025-08-07 effort-2025-11-24 adaptive-thinking-2026-01-28
    structured-outputs-2025-11-13 redact-thinking-2026-02-12 max-tokens-3-5-sonnet-2024-07-15
    mid-conversation-system-2026-04-07"""
)
"""Betas that only change how a model answers, without files, servers or the provider's tools."""

EDITS = ("clear_tool_uses_20250919", "clear_thinking_20251015")

_cache = fields(type=one_of("ephemeral"), ttl=one_of("5m", "1h"), scope=text)
_common = {"type": text, "cache_control": _cache}
_text = fields(**_common, text=text, citations=empty)
_source = {"type": one_of("base64"), "media_type": image_type, "data": image_data}
_image = fields("source", **_common, source=fields(*_source, **_source))
_result = text_or(list_of(by_kind(text=_text, image=_image)))
_block = by_kind(
    text=_text,
    image=_image,
    thinking=fields(**each(text, "type thinking signature")),
    redacted_thinking=fields(**each(text, "type data")),
    tool_use=fields("id", "name", **_common, **each(text, "id name"), input=json_object),
    tool_result=fields("tool_use_id", **_common, tool_use_id=text, content=_result, is_error=flag),
)
_message = fields(
    "role", role=one_of("user", "assistant", "system"), content=text_or(list_of(_block))
)
_tool = by_kind(
    "custom",
    OWN_TOOLS,
    custom=fields(
        "name",
        **_common,
        **each(text, "name description"),
        input_schema=json_object,
        **each(flag, "strict eager_input_streaming"),
    ),
)
_tool_choice = fields(
    "type", type=one_of("auto", "any", "tool", "none"), name=text, disable_parallel_tool_use=flag
)
_amount = fields(type=text, value=number)
_edit = fields(
    type=text,
    **each(_amount, "trigger clear_at_least"),
    keep=text_or(_amount),
    exclude_tools=list_of(text),
    clear_tool_inputs=anything,
)


def _edits(value: Any, place: str, check: RequestCheck) -> Any:
    """Only the edits that cost nothing; a compaction would be another model call."""
    if not isinstance(value, list):
        raise wrong_type(place, "a list")
    known = []
    for edit in objects_in(value):
        if edit.get("type") in EDITS:
            known.append(edit)
        else:
            check.remove(f"{place}.{str(edit.get('type'))[:60].replace('.', '')}")
    return list_of(_edit)(known, place, check)


MESSAGES_REQUEST = fields(
    "messages",
    model=text,
    messages=list_of(_message),
    system=text_or(list_of(by_kind(text=_text))),
    tools=list_of(_tool),
    tool_choice=_tool_choice,
    **each(number, "max_tokens temperature top_p top_k"),
    stop_sequences=list_of(text),
    stream=flag,
    cache_control=_cache,
    thinking=fields(
        "type", type=one_of("enabled", "disabled", "adaptive"), budget_tokens=number, display=text
    ),
    context_management=fields(edits=_edits),
    output_config=fields(effort=text, format=fields(type=one_of("json_schema"), schema=anything)),
)


def allowed_betas(header: str, check: RequestCheck) -> list[str]:
    """The betas of a request that may be sent to the provider."""
    asked = [name.strip() for name in header.split(",") if name.strip()]
    for name in asked:
        if name not in BETAS:
            check.remove(f"anthropic-beta: {name[:60].replace('.', '')}")
    return [name for name in asked if name in BETAS]
