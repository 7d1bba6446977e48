"""OpenAI's chat completions: requests and whole answers."""

from __future__ import annotations

import re
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
from mlebench.gateway.prices import TokenUsage, read_openai_usage
from mlebench.gateway.rules import objects_in

THOUGHTS = ("reasoning_content", "reasoning")
"""The fields in which providers send what their models thought."""

DATA_URL = re.compile(r"data:([^;,]+);base64,(.*)", re.DOTALL)
FINISHES: dict[str, Finish] = {
    "stop": "stop",
    "length": "length",
    "tool_calls": "tools",
    "function_call": "tools",
    "content_filter": "filter",
}
REASONS = {"stop": "stop", "length": "length", "tools": "tool_calls", "filter": "content_filter"}


def read_image(url: str) -> Image:
    found = DATA_URL.fullmatch(url)
    return Image(found[1], found[2]) if found else Image("image/png", "")


def image_url(image: Image) -> str:
    return f"data:{image.media_type};base64,{image.data}"


def read_request(body: dict[str, Any]) -> Prompt:
    """A checked request."""
    customs: set[str] = set()
    form = body.get("response_format") or {}
    stop = body.get("stop") or []
    return Prompt(
        model=body["model"],
        turns=[_read_message(message, customs) for message in objects_in(body.get("messages"))],
        tools=[_read_tool(tool) for tool in objects_in(body.get("tools"))]
        + [_read_function(tool) for tool in objects_in(body.get("functions"))],
        tool_choice=read_choice(body.get("tool_choice")),
        is_parallel=body.get("parallel_tool_calls"),
        temperature=body.get("temperature"),
        top_p=body.get("top_p"),
        top_k=body.get("top_k"),
        stop=[stop] if isinstance(stop, str) else stop,
        seed=body.get("seed"),
        effort=body.get("reasoning_effort"),
        schema=(form.get("json_schema") or {}).get("schema"),
        is_json=form.get("type") in ("json_object", "json_schema"),
        is_stream=body.get("stream") is True,
    )


def read_choice(choice: Any) -> str | None:
    if isinstance(choice, dict):
        inner = choice.get("function") or choice.get("custom") or choice
        return f"={string(inner.get('name'))}"
    return choice if isinstance(choice, str) else None


def _read_tool(tool: dict[str, Any]) -> Tool:
    if tool["type"] == "custom":
        custom = tool["custom"]
        form = custom.get("format") or {}
        grammar = form.get("grammar") or form
        return Tool(
            custom["name"], custom.get("description") or "", is_custom=True, grammar=grammar
        )
    return _read_function(tool["function"])


def _read_function(function: dict[str, Any]) -> Tool:
    return Tool(function["name"], function.get("description") or "", function.get("parameters"))


def _read_message(message: dict[str, Any], customs: set[str]) -> Turn:
    """A turn; ids of calls of custom tools are added to `customs`, for their results."""
    role = message["role"]
    parts: list[Part] = list(read_content(message.get("content")))
    if role in ("system", "developer"):
        return Turn("system", parts)
    if role in ("tool", "function"):
        call = message.get("tool_call_id") or message.get("name") or ""
        kept = tuple(part for part in parts if isinstance(part, PlainText | Image))
        return Turn("user", [ToolResult(call, kept, is_custom=call in customs)])
    if role == "assistant":
        calls = _read_calls(message)
        customs.update(call.id for call in calls if call.is_custom)
        thoughts = [Thinking(thought.text) for thought in read_thoughts(message)]
        return Turn("assistant", [*thoughts, *parts, *calls])
    return Turn("user", parts)


def read_thoughts(message: dict[str, Any]) -> list[Thinking]:
    """The thought of a message, or of a piece of one."""
    found = [Thinking(text, name) for name in THOUGHTS if (text := string(message.get(name)))]
    return found[:1]


def read_content(content: Any) -> list[PlainText | Image]:
    """The texts and images of a message."""
    if isinstance(content, str):
        return [PlainText(content)] if content else []
    found: list[PlainText | Image] = []
    for part in objects_in(content):
        if isinstance(image := part.get("image_url"), dict):
            found.append(read_image(image["url"]))
        elif isinstance(image, str):
            found.append(read_image(image))
        elif words := part.get("text") or part.get("refusal"):
            found.append(PlainText(words))
    return found


def _read_calls(message: dict[str, Any]) -> list[ToolCall]:
    found = []
    for call in objects_in(message.get("tool_calls")):
        if call.get("type") == "custom":
            custom = call.get("custom") or {}
            name, text = string(custom.get("name")), string(custom.get("input"))
            found.append(ToolCall(string(call.get("id")), name, text, is_custom=True))
        elif isinstance(function := call.get("function"), dict):
            name, text = string(function.get("name")), string(function.get("arguments"))
            found.append(ToolCall(string(call.get("id")), name, text))
    old = message.get("function_call")
    if isinstance(old, dict):
        name = string(old.get("name"))
        found.append(ToolCall(name, name, string(old.get("arguments"))))
    return found


def write_request(prompt: Prompt) -> dict[str, Any]:
    """A request to a provider that speaks chat completions."""
    instructions, turns = prompt.leading()
    messages = [{"role": "system", "content": instructions}] if instructions else []
    for turn in merged(turns):
        messages += _write_turn(turn)
    body: dict[str, Any] = {
        "model": prompt.model,
        "messages": messages,
        "tools": [
            {"type": "function", "function": {**tool.label, "parameters": tool.parameters}}
            for tool in prompt.tools
        ],
        "tool_choice": _write_choice(prompt),
        "parallel_tool_calls": prompt.is_parallel if prompt.tools else None,
        "temperature": prompt.temperature,
        "top_p": prompt.top_p,
        "stop": prompt.stop,
        "seed": prompt.seed,
        "reasoning_effort": prompt.effort,
        "response_format": _write_format(prompt),
    }
    if prompt.is_stream:
        body |= {"stream": True, "stream_options": {"include_usage": True}}
    return {name: value for name, value in body.items() if value not in (None, [])}


def _write_format(prompt: Prompt) -> dict[str, Any] | None:
    if prompt.schema is not None:
        return {"type": "json_schema", "json_schema": {"name": "answer", "schema": prompt.schema}}
    return {"type": "json_object"} if prompt.is_json else None


def _write_choice(prompt: Prompt) -> Any:
    choice = prompt.tool_choice if prompt.tools else None
    if choice and choice.startswith("="):
        return {"type": "function", "function": {"name": choice[1:]}}
    return choice


def _write_turn(turn: Turn) -> list[dict[str, Any]]:
    if turn.role == "assistant":
        return [_write_message(turn.parts, set())]
    found: list[dict[str, Any]] = []
    rest: list[PlainText | Image] = []
    for part in turn.parts:
        if isinstance(part, ToolResult):
            found.append({"role": "tool", "tool_call_id": part.call_id, "content": part.text})
            # A tool's message has text only.
            rest += part.images
        elif isinstance(part, PlainText | Image):
            rest.append(part)
    if rest:
        found.append({"role": "user", "content": _write_content(rest)})
    return found


def _write_content(parts: list[PlainText | Image]) -> Any:
    if all(isinstance(part, PlainText) for part in parts):
        return "\n\n".join(part.text for part in parts if isinstance(part, PlainText))
    return [
        {"type": "text", "text": part.text}
        if isinstance(part, PlainText)
        else {"type": "image_url", "image_url": {"url": image_url(part)}}
        for part in parts
    ]


def _write_message(parts: list[Part], customs: set[str]) -> dict[str, Any]:
    """A message of the model."""
    said = "".join(part.text for part in parts if isinstance(part, PlainText))
    message: dict[str, Any] = {"role": "assistant", "content": said or None}
    for part in parts:
        if isinstance(part, Thinking) and part.text:
            name = part.seal if part.seal in THOUGHTS else THOUGHTS[0]
            message[name] = message.get(name, "") + part.text
    if calls := [write_call(part, customs) for part in parts if isinstance(part, ToolCall)]:
        message["tool_calls"] = calls
    return message


def write_call(call: ToolCall, customs: set[str]) -> dict[str, Any]:
    """A call; of a custom tool as such if the agent declared it so."""
    if call.name in customs:
        custom = {"name": call.name, "input": call.plain_input}
        return {"id": call.id, "type": "custom", "custom": custom}
    function = {"name": call.name, "arguments": call.json_arguments or "{}"}
    return {"id": call.id, "type": "function", "function": function}


def read_answer(body: dict[str, Any]) -> Answer:
    """A provider's answer; only its first choice."""
    choice = (objects_in(body.get("choices")) or [{}])[0]
    message = choice.get("message")
    if not isinstance(message, dict):
        raise ValueError("a chat completion without a message")
    parts: list[Part] = [*read_thoughts(message)]
    parts += read_content(message.get("content") or message.get("refusal"))
    calls = _read_calls(message)
    finish = FINISHES.get(string(choice.get("finish_reason")), "stop")
    return Answer(
        string(body.get("id")),
        string(body.get("model")),
        [*parts, *calls],
        "tools" if calls and finish == "stop" else finish,
        read_openai_usage(body),
    )


def write_answer(answer: Answer, prompt: Prompt) -> dict[str, Any]:
    message = _write_message(answer.parts, prompt.custom_names)
    choice = {"index": 0, "message": message, "finish_reason": REASONS[answer.finish]}
    whole = {
        "id": answer.id,
        "object": "chat.completion",
        "created": 0,
        "model": answer.model,
        "choices": [choice],
    }
    return whole | ({"usage": write_usage(answer.usage)} if answer.usage else {})


def write_usage(usage: TokenUsage) -> dict[str, Any]:
    return {
        "prompt_tokens": usage.input,
        "completion_tokens": usage.output,
        "total_tokens": usage.input + usage.output,
        "prompt_tokens_details": {"cached_tokens": usage.cached},
    }
