"""The messages of a recorded exchange of any protocol as one flat list.

Chat completions, Responses, Anthropic's messages and Gemini's contents get the same form, so that
readers of a trajectory need not know which agent wrote it. Everything is untrusted.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

MAX_MESSAGES = 2_000
DIGEST = 12


@dataclass(frozen=True)
class Message:
    """Text, reasoning, a tool call, a tool result or an image."""

    role: str
    kind: str
    """`text`, `reasoning`, `tool_call`, `tool_result` or `image`."""

    content: Any
    name: str | None = None

    @property
    def key(self) -> bytes:
        """Equal for equal messages: an answer is repeated in the next request."""
        content = self.content
        if self.kind == "tool_call" and isinstance(content, str):
            # As an object in one protocol and as JSON in another.
            content = read_json(content)
        text = json.dumps([self.kind, content], sort_keys=True)
        return hashlib.blake2b(text.encode(), digest_size=DIGEST).digest()


def read_json(text: str) -> Any:
    """The value that a text contains as JSON, else the text."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def request_messages(request: Any, most: int = MAX_MESSAGES) -> list[Message]:
    """The messages that the agent sent, at most the last `most` of them."""
    if not isinstance(request, dict):
        return []
    found = []
    for name in ("instructions", "system"):
        found += [Message("system", *part) for part in _contents(request.get(name))]
    for name in ("systemInstruction", "system_instruction"):
        if isinstance(request.get(name), dict):
            found += _gemini_content(request[name], "system")
    said = request.get("messages", request.get("input", request.get("contents")))
    if isinstance(said, list):
        found += [m for item in said[-most:] for m in _item(item)]
    elif isinstance(said, dict) and "parts" in said:
        found += _item(said)
    elif said:
        found.append(Message("user", "text", said))
    return found


def response_messages(response: Any) -> list[Message]:
    """The messages that the model returned."""
    if not isinstance(response, dict):
        return []
    items = dicts_in(response.get("output"))
    items += [c["message"] for c in dicts_in(response.get("choices")) if "message" in c]
    items += [c["content"] for c in dicts_in(response.get("candidates")) if "content" in c]
    if "content" in response:
        items.append(response)
    return [m for item in items[:MAX_MESSAGES] for m in _item(item, "assistant")]


def dicts_in(value: Any) -> list[dict[str, Any]]:
    """The objects of a list; empty if the value is not a list."""
    return [part for part in value if isinstance(part, dict)] if isinstance(value, list) else []


def _item(item: Any, default_role: str = "user") -> Iterator[Message]:
    if not isinstance(item, dict) or "$file" in item:
        yield Message(default_role, "text", item)
        return
    role = str(item.get("role") or default_role)
    kind = item.get("type")
    if isinstance(item.get("parts"), list):
        yield from _gemini_content(item, role)
    elif kind == "function_call":
        yield Message("assistant", "tool_call", item.get("arguments"), _text(item.get("name")))
    elif kind == "custom_tool_call":
        yield Message("assistant", "tool_call", item.get("input"), _text(item.get("name")))
    elif kind in ("function_call_output", "custom_tool_call_output"):
        yield Message("tool", "tool_result", _joined(item.get("output")))
    elif kind == "reasoning":
        for part in [*dicts_in(item.get("summary")), *dicts_in(item.get("content"))]:
            yield Message("assistant", "reasoning", part.get("text"))
    else:
        yield from _chat_message(item, role)


def _gemini_content(item: dict[str, Any], role: str) -> Iterator[Message]:
    role = "assistant" if role == "model" else role
    for part in dicts_in(item.get("parts")):
        call = part.get("functionCall") or part.get("function_call")
        result = part.get("functionResponse") or part.get("function_response")
        if isinstance(call, dict):
            yield Message(role, "tool_call", call.get("args"), _text(call.get("name")))
        elif isinstance(result, dict):
            yield Message("tool", "tool_result", _output(result), _text(result.get("name")))
        elif "inlineData" in part or "inline_data" in part:
            yield Message(role, "image", "(an image)")
        elif part.get("text"):
            yield Message(role, "reasoning" if part.get("thought") else "text", part["text"])


def _output(result: dict[str, Any]) -> Any:
    """What a function returned; its usual place is the field `output`."""
    values = result.get("response")
    if isinstance(values, dict) and len(values) == 1:
        return values.get("output", values.get("error", values))
    return values


def _chat_message(item: dict[str, Any], role: str) -> Iterator[Message]:
    for name in ("reasoning_content", "reasoning"):
        if item.get(name):
            yield Message(role, "reasoning", item[name])
    result = role in ("tool", "function")
    for kind, content, *named in _contents(item.get("content")):
        shown = "tool_result" if result and kind == "text" else kind
        who = "tool" if kind == "tool_result" else role
        yield Message(who, shown, content, *named or [_text(item.get("name"))])
    if item.get("refusal"):
        yield Message(role, "text", item["refusal"])
    calls = [
        call.get("function") or call.get("custom") for call in dicts_in(item.get("tool_calls"))
    ]
    for call in dicts_in([*calls, item.get("function_call")]):
        content = call.get("arguments", call.get("input"))
        yield Message(role, "tool_call", content, _text(call.get("name")))


def _contents(content: Any) -> Iterator[tuple[Any, ...]]:
    """Kind, content and sometimes a name of each part."""
    if content is None or content == "":
        return
    for part in content if isinstance(content, list) else [content]:
        yield _part(part)


def _part(part: Any) -> tuple[Any, ...]:
    if not isinstance(part, dict):
        return "text", part
    kind = str(part.get("type"))
    if "image" in kind:
        return "image", "(an image)"
    if kind == "thinking":
        return "reasoning", part.get("thinking")
    if kind == "redacted_thinking":
        return "reasoning", "(hidden by the provider)"
    if kind == "tool_use":
        return "tool_call", part.get("input"), _text(part.get("name"))
    if kind == "tool_result":
        return "tool_result", _joined(part.get("content"))
    return "text", part.get("text", part)


def _joined(content: Any) -> Any:
    """The joined texts of a result that contains nothing else, else the result itself."""
    texts = [text for part in dicts_in(content) if (text := _text(part.get("text"))) is not None]
    is_all = isinstance(content, list) and len(texts) == len(content)
    return "\n".join(texts) if texts and is_all else content


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None
