"""The conversation within a size limit: old outputs are shortened, then old turns dropped."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from ..client import Message

SHORT = 400
KEPT_TURNS = 4


@dataclass
class Context:
    """The messages for the model: the task, then turns (an answer and the outputs of its calls)."""

    opening: list[Message]
    limit: int
    """In characters."""

    turns: list[list[Message]] = field(default_factory=list)
    dropped: int = 0

    def add(self, turn: list[Message]) -> None:
        self.turns.append(turn)
        self.fit()

    def fit(self) -> None:
        """Bring the messages below the limit; the newest turns are shortened last."""
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
        """Halve the limit, for a model with a smaller context; false if it is minimal already."""
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
        """Cut the middle of a long task: half of the limit is for the turns."""
        budget = max(1_000, self.limit // 2)
        content = message["content"]
        return message if len(content) <= budget else message | {"content": _cut(content, budget)}

    def size(self) -> int:
        return sum(len(json.dumps(message)) for message in self.messages())


def _shorten(turn: list[Message], limit: int) -> None:
    """Cut outputs, texts and arguments; every call stays, because each output refers to one."""
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
