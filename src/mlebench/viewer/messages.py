"""The messages of an exchange of any supported API as one flat list."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from mlebench.viewer.text import show_text

MAX_MESSAGE = 20_000
MAX_MESSAGES = 2_000
DIGEST = 12


@dataclass(frozen=True)
class Message:
    """A text, a reasoning, a tool call, a tool result or an image."""

    role: str
    kind: str
    """`text`, `reasoning`, `tool_call`, `tool_result` or `image`."""

    content: Any
    name: str | None = None

    @property
    def key(self) -> bytes:
        """Equal for equal messages: an answer is repeated in the next request."""
        text = json.dumps([self.kind, self.content], sort_keys=True)
        return hashlib.blake2b(text.encode(), digest_size=DIGEST).digest()

    def as_json(self, whole: Callable[[Any], tuple[str, int]]) -> dict[str, Any]:
        """For the page; `whole` returns the text of a content, and how many bytes it left out."""
        text, left_out = whole(self.content)
        shown = show_text(text, MAX_MESSAGE)
        found = {"role": self.role[:40], "kind": self.kind, "text": shown.text}
        if self.name:
            found["name"] = show_text(self.name, 200).text
        cut = shown.cut + left_out
        return found | ({"cut": cut} if cut else {})


def request_messages(request: Any) -> list[Message]:
    """The messages that the agent sent."""
    if not isinstance(request, dict):
        return []
    found = []
    for name in ("instructions", "system"):
        found += [Message("system", *part) for part in _contents(request.get(name))]
    said = request.get("messages", request.get("input"))
    if isinstance(said, list):
        found += [m for item in said[-MAX_MESSAGES:] for m in _item(item)]
    elif said:
        found.append(Message("user", "text", said))
    return found


def response_messages(response: Any) -> list[Message]:
    """The messages that the model returned."""
    if not isinstance(response, dict):
        return []
    items = _dicts(response.get("output"))
    items += [c["message"] for c in _dicts(response.get("choices")) if "message" in c]
    if "content" in response:
        items.append(response)
    return [m for item in items[:MAX_MESSAGES] for m in _item(item, "assistant")]


def _dicts(value: Any) -> list[dict[str, Any]]:
    return [part for part in value if isinstance(part, dict)] if isinstance(value, list) else []


def _item(item: Any, default_role: str = "user") -> Iterator[Message]:
    if not isinstance(item, dict) or "$file" in item:
        yield Message(default_role, "text", item)
        return
    role = str(item.get("role") or default_role)
    kind = item.get("type")
    if kind == "function_call":
        yield Message("assistant", "tool_call", item.get("arguments"), _text(item.get("name")))
    elif kind == "function_call_output":
        yield Message("tool", "tool_result", item.get("output"))
    elif kind == "reasoning":
        for part in [*_dicts(item.get("summary")), *_dicts(item.get("content"))]:
            yield Message("assistant", "reasoning", part.get("text"))
    else:
        yield from _chat_message(item, role)


def _chat_message(item: dict[str, Any], role: str) -> Iterator[Message]:
    for name in ("reasoning_content", "reasoning"):
        if item.get(name):
            yield Message(role, "reasoning", item[name])
    result = role in ("tool", "function")
    for kind, content, *named in _contents(item.get("content")):
        shown = "tool_result" if result and kind == "text" else kind
        yield Message(role, shown, content, *named or [_text(item.get("name"))])
    if item.get("refusal"):
        yield Message(role, "text", item["refusal"])
    calls = [call.get("function") for call in _dicts(item.get("tool_calls"))]
    for call in _dicts([*calls, item.get("function_call")]):
        yield Message(role, "tool_call", call.get("arguments"), _text(call.get("name")))


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
    if kind == "tool_use":
        return "tool_call", part.get("input"), _text(part.get("name"))
    if kind == "tool_result":
        return "tool_result", _joined(part.get("content"))
    return "text", part.get("text", part)


def _joined(content: Any) -> Any:
    """The joined texts of a result that contains nothing else, else the result itself."""
    texts = [text for part in _dicts(content) if (text := _text(part.get("text"))) is not None]
    is_all = isinstance(content, list) and len(texts) == len(content)
    return "\n".join(texts) if texts and is_all else content


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None
