"""The conversation, kept within bounds: old outputs get shorter first, then old turns go."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from ..client import Message

SHORT = 400
KEPT_TURNS = 4


@dataclass
class Context:
    """What the model sees: the task, then turns (an answer with the outputs of its calls)."""

    opening: list[Message]
    limit: int
    """In characters."""

    turns: list[list[Message]] = field(default_factory=list)
    dropped: int = 0

    def add(self, turn: list[Message]) -> None:
        self.turns.append(turn)
        self.fit()

    def fit(self) -> None:
        """Bring everything under the limit, the newest turns last."""
        for turn in self.turns[:-KEPT_TURNS]:
            if self.size() <= self.limit:
                return
            _shorten(turn, SHORT)
        while self.size() > self.limit and len(self.turns) > 1:
            self.turns.pop(0)
            self.dropped += 1
        if self.size() > self.limit:
            for turn in self.turns:
                _shorten(turn, max(SHORT, self.limit // 20))

    def shrink(self) -> bool:
        """Half the limit, for a model with a smaller context; whether that was possible."""
        if self.limit < 4_000:
            return False
        self.limit = min(self.limit, self.size()) // 2
        self.fit()
        return True

    def messages(self) -> list[Message]:
        found = [self._bounded(message) for message in self.opening]
        if self.dropped:
            text = f"[{self.dropped} earlier steps are left out here; your files are still there.]"
            found.append({"role": "user", "content": text})
        return found + [message for turn in self.turns for message in turn]

    def _bounded(self, message: Message) -> Message:
        """Of a long task the beginning and the end: the other half is for the work."""
        budget = max(1_000, self.limit // 2)
        content = message["content"]
        return message if len(content) <= budget else message | {"content": _cut(content, budget)}

    def size(self) -> int:
        return sum(len(json.dumps(message)) for message in self.messages())


def _shorten(turn: list[Message], limit: int) -> None:
    """Cut outputs and texts; calls stay, cut in their arguments, so that each has its output."""
    for index, message in enumerate(turn):
        content = message.get("content")
        if isinstance(content, str) and len(content) > limit:
            turn[index] = message | {"content": _cut(content, limit)}
        if message.get("tool_calls"):
            calls = [_shorten_call(call, limit) for call in message["tool_calls"]]
            turn[index] = turn[index] | {"tool_calls": calls}


def _shorten_call(call: Message, limit: int) -> Message:
    function = call["function"]
    if len(function["arguments"]) <= 4 * limit:
        return call
    cut = {"left_out": _cut(function["arguments"], limit)}
    return call | {"function": function | {"arguments": json.dumps(cut)}}


def _cut(text: str, limit: int) -> str:
    half = limit // 2
    return f"{text[:half]}\n[{len(text) - 2 * half} characters left out]\n{text[-half:]}"
