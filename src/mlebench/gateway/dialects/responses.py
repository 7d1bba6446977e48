"""OpenAI's Responses: requests and whole answers."""

from __future__ import annotations

from typing import Any

from mlebench.gateway.dialects.chat import image_url, read_choice, read_content
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
from mlebench.gateway.prices import TokenUsage, read_openai_usage
from mlebench.gateway.rules import objects_in

INCOMPLETE: dict[str, Finish] = {"max_output_tokens": "length", "content_filter": "filter"}
REASONS = {"length": "max_output_tokens", "filter": "content_filter"}


def read_request(body: dict[str, Any]) -> Prompt:
    """A checked request."""
    turns = []
    if instructions := body.get("instructions"):
        turns.append(Turn("system", [PlainText(instructions)]))
    if isinstance(body["input"], str):
        turns.append(Turn("user", [PlainText(body["input"])]))
    else:
        turns += [_read_item(item) for item in body["input"]]
    form = (body.get("text") or {}).get("format") or {}
    tools = objects_in(body.get("tools"))
    tools += [tool for group in tools for tool in objects_in(group.get("tools"))]
    return Prompt(
        model=body["model"],
        turns=turns,
        tools=[_read_tool(tool) for tool in tools if tool["type"] != "namespace"],
        tool_choice=read_choice(body.get("tool_choice")),
        is_parallel=body.get("parallel_tool_calls"),
        temperature=body.get("temperature"),
        top_p=body.get("top_p"),
        effort=(body.get("reasoning") or {}).get("effort"),
        schema=form.get("schema") or (form.get("json_schema") or {}).get("schema"),
        is_json=form.get("type") in ("json_object", "json_schema"),
        is_stream=body.get("stream") is True,
    )


def _read_tool(tool: dict[str, Any]) -> Tool:
    about = tool.get("description") or ""
    if tool["type"] == "custom":
        return Tool(tool["name"], about, is_custom=True, grammar=tool.get("format"))
    return Tool(tool["name"], about, tool.get("parameters"))


def _read_item(item: dict[str, Any]) -> Turn:
    kind = item.get("type", "message")
    if kind in ("function_call", "custom_tool_call"):
        return Turn("assistant", [_read_call(item)])
    if kind in ("function_call_output", "custom_tool_call_output"):
        parts = tuple(read_content(item.get("output")))
        is_custom = kind != "function_call_output"
        return Turn("user", [ToolResult(string(item.get("call_id")), parts, is_custom=is_custom)])
    if kind == "reasoning":
        return Turn("assistant", _read_reasoning(item))
    role = item["role"]
    parts_said: list[Part] = list(read_content(item.get("content")))
    if role in ("system", "developer"):
        return Turn("system", parts_said)
    return Turn("assistant" if role == "assistant" else "user", parts_said)


def _read_call(item: dict[str, Any]) -> ToolCall:
    is_custom = item.get("type") == "custom_tool_call"
    text = string(item.get("input" if is_custom else "arguments"))
    return ToolCall(string(item.get("call_id")), string(item.get("name")), text, is_custom)


def _read_reasoning(item: dict[str, Any]) -> list[Part]:
    parts = [*objects_in(item.get("summary")), *objects_in(item.get("content"))]
    text = "\n\n".join(filter(None, (string(part.get("text")) for part in parts)))
    seal = string(item.get("encrypted_content"))
    return [Thinking(text, seal)] if text or seal else []


def write_request(prompt: Prompt) -> dict[str, Any]:
    """A request to a provider that speaks Responses."""
    instructions, turns = prompt.leading()
    body: dict[str, Any] = {
        "model": prompt.model,
        "instructions": instructions or None,
        "input": [item for turn in merged(turns) for item in _write_items(turn)],
        "tools": [_write_tool(tool) for tool in prompt.tools],
        "tool_choice": _write_choice(prompt),
        "parallel_tool_calls": prompt.is_parallel if prompt.tools else None,
        "temperature": prompt.temperature,
        "top_p": prompt.top_p,
        "reasoning": {"effort": prompt.effort} if prompt.effort else None,
        "text": _write_format(prompt),
        "store": False,
        "stream": prompt.is_stream or None,
    }
    kept = {name: value for name, value in body.items() if value is not None}
    if not prompt.tools:
        del kept["tools"]
    return kept


def _write_format(prompt: Prompt) -> dict[str, Any] | None:
    if prompt.schema is not None:
        form = {"type": "json_schema", "name": "answer", "schema": prompt.schema}
        return {"format": form}
    return {"format": {"type": "json_object"}} if prompt.is_json else None


def _write_choice(prompt: Prompt) -> Any:
    choice = prompt.tool_choice if prompt.tools else None
    if choice and choice.startswith("="):
        kind = "custom" if choice[1:] in prompt.custom_names else "function"
        return {"type": kind, "name": choice[1:]}
    return choice


def _write_tool(tool: Tool) -> dict[str, Any]:
    if tool.is_custom:
        form = {"format": tool.grammar} if tool.grammar else {}
        return {"type": "custom", **tool.label, **form}
    return {"type": "function", **tool.label, "parameters": tool.parameters}


def _write_items(turn: Turn) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = []
    said: list[dict[str, Any]] = []
    for part in turn.parts:
        if isinstance(part, PlainText | Image):
            said.append(_write_part(part, turn.role == "assistant"))
            continue
        if said:
            items.append({"type": "message", "role": turn.role, "content": said})
            said = []
        if isinstance(part, Thinking):
            items.append(_write_reasoning(part))
        elif isinstance(part, ToolCall):
            items.append(_write_call(part))
        elif isinstance(part, ToolResult):
            items.append(_write_result(part))
    if said:
        items.append({"type": "message", "role": turn.role, "content": said})
    return items


def _write_part(part: PlainText | Image, is_output: bool) -> dict[str, Any]:
    if isinstance(part, Image):
        return {"type": "input_image", "image_url": image_url(part)}
    return {"type": "output_text" if is_output else "input_text", "text": part.text}


def _write_reasoning(thought: Thinking) -> dict[str, Any]:
    summary = [{"type": "summary_text", "text": thought.text}] if thought.text else []
    seal = {"encrypted_content": thought.seal} if thought.seal else {}
    return {"type": "reasoning", "summary": summary, **seal}


def _write_call(call: ToolCall) -> dict[str, Any]:
    if call.is_custom:
        facts = {"type": "custom_tool_call", "input": call.arguments}
    else:
        facts = {"type": "function_call", "arguments": call.arguments or "{}"}
    return {**facts, "call_id": call.id, "name": call.name}


def _write_result(result: ToolResult) -> dict[str, Any]:
    kind = "custom_tool_call_output" if result.is_custom else "function_call_output"
    output: Any = result.text
    if result.images:
        output = [_write_part(part, is_output=False) for part in result.parts]
    return {"type": kind, "call_id": result.call_id, "output": output}


def read_answer(body: dict[str, Any]) -> Answer:
    """A provider's answer."""
    if not isinstance(body.get("output"), list) or body.get("status") == "failed":
        raise ValueError("a response without output")
    parts: list[Part] = []
    for item in objects_in(body["output"]):
        kind = item.get("type")
        if kind == "message":
            parts += read_content(item.get("content"))
        elif kind in ("function_call", "custom_tool_call"):
            parts.append(_read_call(item))
        elif kind == "reasoning":
            parts += _read_reasoning(item)
    finish: Finish = "tools" if any(isinstance(part, ToolCall) for part in parts) else "stop"
    details = body.get("incomplete_details")
    if isinstance(details, dict):
        finish = INCOMPLETE.get(string(details.get("reason")), finish)
    usage = read_openai_usage(body)
    return Answer(string(body.get("id")), string(body.get("model")), parts, finish, usage)


def write_answer(answer: Answer, prompt: Prompt) -> dict[str, Any]:
    items: list[dict[str, Any]] = []
    for part in answer.parts:
        # Consecutive texts are parts of one message.
        last = items[-1] if items else {}
        if isinstance(part, PlainText) and last.get("type") == "message":
            last["content"].append(output_text(part.text))
        else:
            items.append(write_item(part, len(items), prompt.custom_names))
    return write_response(answer, items)


def write_response(answer: Answer, items: list[dict[str, Any]]) -> dict[str, Any]:
    """The whole response around its items."""
    reason = REASONS.get(answer.finish)
    return {
        "id": answer.id or "resp_0",
        "object": "response",
        "created_at": 0,
        "status": "incomplete" if reason else "completed",
        "error": None,
        "incomplete_details": {"reason": reason} if reason else None,
        "model": answer.model,
        "output": items,
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": write_usage(answer.usage or TokenUsage(0, 0)),
    }


def output_text(text: str) -> dict[str, Any]:
    return {"type": "output_text", "text": text, "annotations": []}


def write_item(part: Part, number: int, customs: set[str]) -> dict[str, Any]:
    """An item of an answer."""
    if isinstance(part, Thinking):
        return {**_write_reasoning(part), "id": f"rs_{number}"}
    if isinstance(part, ToolCall):
        if part.name in customs:
            part = ToolCall(part.id, part.name, part.plain_input, is_custom=True)
        return {**_write_call(part), "id": f"fc_{number}", "status": "completed"}
    content = [output_text(part.text)] if isinstance(part, PlainText) else []
    facts = {"type": "message", "role": "assistant", "status": "completed"}
    return {**facts, "id": f"msg_{number}", "content": content}


def write_usage(usage: TokenUsage) -> dict[str, Any]:
    return {
        "input_tokens": usage.input,
        "input_tokens_details": {"cached_tokens": usage.cached},
        "output_tokens": usage.output,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": usage.input + usage.output,
    }
