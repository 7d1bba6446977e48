"""Anthropic's messages: requests and whole answers."""

from __future__ import annotations

import json
from typing import Any

from mlebench.gateway.dialects.neutral import (
    Answer,
    Finish,
    Image,
    Part,
    PlainText,
    Prompt,
    Thinking,
    Tool,
    ToolCall,
    ToolResult,
    Turn,
    merged,
    string,
)
from mlebench.gateway.prices import TokenUsage, read_messages_usage
from mlebench.gateway.rules import objects_in

FINISHES: dict[str, Finish] = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "pause_turn": "stop",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "tool_use": "tools",
    "refusal": "filter",
}
REASONS = {"stop": "end_turn", "length": "max_tokens", "tools": "tool_use", "filter": "refusal"}
CHOICES = {"auto": "auto", "any": "required", "none": "none"}
WRITTEN_CHOICES = {"auto": "auto", "required": "any", "none": "none"}
JSON_ONLY = "Answer with a JSON object only, without any other text."


def read_request(body: dict[str, Any]) -> Prompt:
    """A checked request."""
    turns = []
    if system := _read_blocks(body.get("system")):
        turns.append(Turn("system", system))
    for message in objects_in(body.get("messages")):
        turns.append(Turn(message["role"], _read_blocks(message.get("content"))))
    choice = body.get("tool_choice") or {}
    kind = string(choice.get("type"))
    output = body.get("output_config") or {}
    form = output.get("format") or {}
    is_single = choice.get("disable_parallel_tool_use")
    return Prompt(
        model=body["model"],
        turns=turns,
        tools=[
            Tool(tool["name"], tool.get("description") or "", tool.get("input_schema"))
            for tool in objects_in(body.get("tools"))
        ],
        tool_choice=f"={choice.get('name')}" if kind == "tool" else CHOICES.get(kind),
        is_parallel=None if is_single is None else not is_single,
        temperature=body.get("temperature"),
        top_p=body.get("top_p"),
        top_k=body.get("top_k"),
        stop=body.get("stop_sequences") or [],
        schema=form.get("schema"),
        is_json=bool(form),
        is_stream=body.get("stream") is True,
    )


def _read_blocks(content: Any) -> list[Part]:
    if isinstance(content, str):
        return [PlainText(content)] if content else []
    return [part for block in objects_in(content) if (part := _read_block(block)) is not None]


def _read_block(block: dict[str, Any]) -> Part | None:
    kind = block.get("type")
    if kind == "text":
        return PlainText(string(block.get("text")))
    if kind == "image":
        source = block["source"]
        return Image(source["media_type"], source["data"])
    if kind == "thinking":
        return Thinking(string(block.get("thinking")), string(block.get("signature")))
    if kind == "tool_use":
        name, values = string(block.get("name")), block.get("input")
        return ToolCall(string(block.get("id")), name, json.dumps(values or {}))
    if kind == "tool_result":
        parts = _read_blocks(block.get("content"))
        kept = tuple(part for part in parts if isinstance(part, PlainText | Image))
        return ToolResult(string(block.get("tool_use_id")), kept, bool(block.get("is_error")))
    return None


def write_request(prompt: Prompt) -> dict[str, Any]:
    """A request to a provider that speaks Anthropic's messages."""
    instructions, turns = prompt.leading()
    if prompt.is_json and prompt.schema is None:
        instructions = f"{instructions}\n\n{JSON_ONLY}".strip()
    messages = [
        {"role": turn.role, "content": blocks}
        for turn in merged(turns)
        if (blocks := _write_blocks(turn))
    ]
    body: dict[str, Any] = {
        "model": prompt.model,
        "max_tokens": prompt.max_output,
        "messages": messages,
        "system": [{"type": "text", "text": instructions}] if instructions else [],
        "tools": [{**tool.label, "input_schema": tool.parameters} for tool in prompt.tools],
        "tool_choice": _write_choice(prompt),
        # The API accepts only one of the two.
        "temperature": None if prompt.temperature is None else min(prompt.temperature, 1.0),
        "top_p": prompt.top_p if prompt.temperature is None else None,
        "top_k": prompt.top_k,
        "stop_sequences": [stop for stop in prompt.stop if stop.strip()],
        "output_config": {"format": {"type": "json_schema", "schema": prompt.schema}}
        if prompt.schema is not None
        else None,
        "stream": prompt.is_stream or None,
    }
    return {name: value for name, value in body.items() if value not in (None, [])}


def _write_choice(prompt: Prompt) -> dict[str, Any] | None:
    choice = prompt.tool_choice
    if not prompt.tools or (choice is None and prompt.is_parallel is not False):
        return None
    found: dict[str, Any] = {"type": WRITTEN_CHOICES.get(choice or "auto", "tool")}
    if choice and choice.startswith("="):
        found["name"] = choice[1:]
    if prompt.is_parallel is False and found["type"] != "none":
        found["disable_parallel_tool_use"] = True
    return found


def _write_blocks(turn: Turn) -> list[dict[str, Any]]:
    """The blocks of a turn; results of tools must come first."""
    blocks = [block for part in turn.parts if (block := _write_block(part)) is not None]
    return sorted(blocks, key=lambda block: block["type"] != "tool_result")


def _write_block(part: Part) -> dict[str, Any] | None:
    if isinstance(part, PlainText):
        # The API refuses empty texts.
        return {"type": "text", "text": part.text} if part.text.strip() else None
    if isinstance(part, Image):
        source = {"type": "base64", "media_type": part.media_type, "data": part.data}
        return {"type": "image", "source": source}
    if isinstance(part, Thinking):
        return {"type": "thinking", "thinking": part.text, "signature": part.seal}
    if isinstance(part, ToolCall):
        return {"type": "tool_use", "id": part.id, "name": part.name, "input": part.values}
    if isinstance(part, ToolResult):
        inside = [block for inner in part.parts if (block := _write_block(inner)) is not None]
        found = {"type": "tool_result", "tool_use_id": part.call_id, "content": inside}
        return found | ({"is_error": True} if part.is_error else {})
    return None


def read_answer(body: dict[str, Any]) -> Answer:
    """A provider's answer."""
    if not isinstance(body.get("content"), list):
        raise ValueError("a message without content")
    parts = _read_blocks(body["content"])
    finish = FINISHES.get(string(body.get("stop_reason")), "stop")
    usage = read_messages_usage(body)
    return Answer(string(body.get("id")), string(body.get("model")), parts, finish, usage)


def write_answer(answer: Answer, prompt: Prompt) -> dict[str, Any]:
    return {
        "id": answer.id or "msg_0",
        "type": "message",
        "role": "assistant",
        "model": answer.model,
        "content": [write_block(part) for part in answer.parts if not isinstance(part, ToolResult)],
        "stop_reason": REASONS[answer.finish],
        "stop_sequence": None,
        "usage": write_usage(answer.usage or TokenUsage(0, 0)),
    }


def write_block(part: Part) -> dict[str, Any]:
    """A part of an answer."""
    return _write_block(part) or {"type": "text", "text": ""}


def write_usage(usage: TokenUsage) -> dict[str, Any]:
    return {
        "input_tokens": usage.input - usage.cached - usage.written,
        "cache_read_input_tokens": usage.cached,
        "cache_creation_input_tokens": usage.written,
        "output_tokens": usage.output,
    }
