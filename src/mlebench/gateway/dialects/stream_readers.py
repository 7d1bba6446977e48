"""Read the streams of providers as neutral deltas, in each protocol."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any

from mlebench.gateway.dialects import chat, gemini, responses
from mlebench.gateway.dialects.messages import FINISHES as MESSAGE_FINISHES
from mlebench.gateway.dialects.neutral import (
    Begin,
    CallBegin,
    CallDelta,
    Delta,
    End,
    Finish,
    Part,
    PlainText,
    TextDelta,
    Thinking,
    ThinkingDelta,
    ToolCall,
    string,
)
from mlebench.gateway.prices import (
    TokenUsage,
    read_gemini_usage,
    read_messages_usage,
    read_openai_usage,
)
from mlebench.gateway.rules import objects_in

RESPONSE_TEXTS: dict[str, type[TextDelta] | type[ThinkingDelta]] = {
    "response.output_text.delta": TextDelta,
    "response.refusal.delta": TextDelta,
    "response.reasoning_summary_text.delta": ThinkingDelta,
    "response.reasoning_text.delta": ThinkingDelta,
}


class StreamReader(ABC):
    """Reads the events of one answer."""

    @abstractmethod
    def read(self, piece: dict[str, Any]) -> list[Delta]: ...

    def close(self) -> list[Delta]:
        """The deltas that are known only at the end of the stream."""
        return []


class ChatReader(StreamReader):
    """Chat completions: the last line is `[DONE]`, for which the caller calls `close`."""

    def __init__(self) -> None:
        self._has_begun = False
        self._finish: Finish | None = None
        self._usage: TokenUsage | None = None
        self._calls: dict[int, tuple[int, str]] = {}
        """The number and the id of the call at each index; some providers use one index twice."""

        self._count = 0
        self._seal = ""
        """Of the thought that is being streamed."""

    def read(self, piece: dict[str, Any]) -> list[Delta]:
        found: list[Delta] = []
        if not self._has_begun:
            self._has_begun = True
            found.append(Begin(string(piece.get("id")), string(piece.get("model"))))
        self._usage = read_openai_usage(piece) or self._usage
        for choice in objects_in(piece.get("choices"))[:1]:
            if isinstance(delta := choice.get("delta"), dict):
                found += self._read_delta(delta)
            if reason := string(choice.get("finish_reason")):
                self._finish = chat.FINISHES.get(reason, "stop")
        return found

    def _read_delta(self, delta: dict[str, Any]) -> list[Delta]:
        found: list[Delta] = []
        for thought in chat.read_thoughts(delta):
            self._seal = thought.seal
            found.append(ThinkingDelta(thought.text))
        if self._seal and (delta.get("content") or delta.get("tool_calls")):
            found.append(ThinkingDelta("", self._seal))
            self._seal = ""
        if words := string(delta.get("content") or delta.get("refusal")):
            found.append(TextDelta(words))
        for call in objects_in(delta.get("tool_calls")):
            found += self._read_call(call)
        return found

    def _read_call(self, call: dict[str, Any]) -> list[Delta]:
        index, name = call.get("index"), string(call.get("id"))
        place = index if isinstance(index, int) else self._count
        function = call.get("function")
        facts = function if isinstance(function, dict) else {}
        found: list[Delta] = []
        if place not in self._calls or (name and name != self._calls[place][1]):
            self._calls[place] = (self._count, name)
            ident = name or f"call_{self._count}"
            found.append(CallBegin(self._count, ident, string(facts.get("name"))))
            self._count += 1
        if text := string(facts.get("arguments")):
            found.append(CallDelta(self._calls[place][0], text))
        return found

    def close(self) -> list[Delta]:
        finish = self._finish or "stop"
        return [End("tools" if self._count and finish == "stop" else finish, self._usage)]


class MessagesReader(StreamReader):
    """Anthropic's messages."""

    def __init__(self) -> None:
        self._usage: dict[str, Any] = {}
        self._finish: Finish = "stop"
        self._calls: dict[int, int] = {}

    def read(self, piece: dict[str, Any]) -> list[Delta]:
        kind = piece.get("type")
        if kind == "message_start" and isinstance(message := piece.get("message"), dict):
            self._add_usage(message)
            usage = read_messages_usage({"usage": self._usage})
            name, model = string(message.get("id")), string(message.get("model"))
            return [Begin(name, model, usage.input if usage else 0)]
        if kind == "content_block_start" and isinstance(block := piece.get("content_block"), dict):
            return self._begin_block(piece.get("index"), block)
        if kind == "content_block_delta" and isinstance(delta := piece.get("delta"), dict):
            return self._read_delta(piece.get("index"), delta)
        if kind == "message_delta":
            self._add_usage(piece)
            if isinstance(end := piece.get("delta"), dict):
                self._finish = MESSAGE_FINISHES.get(string(end.get("stop_reason")), "stop")
        if kind == "message_stop":
            return [End(self._finish, read_messages_usage({"usage": self._usage}))]
        return []

    def _add_usage(self, piece: dict[str, Any]) -> None:
        if isinstance(usage := piece.get("usage"), dict):
            self._usage |= {k: v for k, v in usage.items() if v is not None}

    def _begin_block(self, index: Any, block: dict[str, Any]) -> list[Delta]:
        if block.get("type") == "tool_use" and isinstance(index, int):
            number = self._calls.setdefault(index, len(self._calls))
            return [CallBegin(number, string(block.get("id")), string(block.get("name")))]
        if words := string(block.get("text")):
            return [TextDelta(words)]
        return []

    def _read_delta(self, index: Any, delta: dict[str, Any]) -> list[Delta]:
        if words := string(delta.get("text")):
            return [TextDelta(words)]
        if words := string(delta.get("thinking")):
            return [ThinkingDelta(words)]
        if seal := string(delta.get("signature")):
            return [ThinkingDelta("", seal)]
        if (words := string(delta.get("partial_json"))) and index in self._calls:
            return [CallDelta(self._calls[index], words)]
        return []


class ResponsesReader(StreamReader):
    """OpenAI's Responses."""

    def __init__(self) -> None:
        self._calls: dict[Any, int] = {}
        self._has_content = False

    def read(self, piece: dict[str, Any]) -> list[Delta]:
        kind, place = string(piece.get("type")), piece.get("output_index")
        item = piece.get("item") if isinstance(piece.get("item"), dict) else {}
        if kind == "response.created" and isinstance(whole := piece.get("response"), dict):
            return [Begin(string(whole.get("id")), string(whole.get("model")))]
        if kind == "response.failed":
            raise ValueError("the response failed")
        if kind in ("response.completed", "response.incomplete"):
            return self._end(piece.get("response"))
        found: list[Delta] = []
        if kind in RESPONSE_TEXTS:
            found.append(RESPONSE_TEXTS[kind](string(piece.get("delta"))))
        elif kind == "response.function_call_arguments.delta" and place in self._calls:
            found.append(CallDelta(self._calls[place], string(piece.get("delta"))))
        elif kind.startswith("response.output_item.") and isinstance(item, dict):
            found += self._read_item(kind, place, item)
        self._has_content = self._has_content or bool(found)
        return found

    def _read_item(self, kind: str, place: Any, item: dict[str, Any]) -> list[Delta]:
        is_custom = item.get("type") == "custom_tool_call"
        found: list[Delta] = []
        if item.get("type") in ("function_call", "custom_tool_call") and place not in self._calls:
            number = self._calls[place] = len(self._calls)
            name = string(item.get("name"))
            found.append(CallBegin(number, string(item.get("call_id")), name))
            if kind.endswith(".done") and not is_custom:
                found.append(CallDelta(number, string(item.get("arguments"))))
        if kind.endswith(".done") and (seal := string(item.get("encrypted_content"))):
            found.append(ThinkingDelta("", seal))
        if is_custom and kind.endswith(".done"):
            # As the argument of a function, which every other protocol knows.
            text = json.dumps({"input": string(item.get("input"))})
            found.append(CallDelta(self._calls[place], text))
        return found

    def _end(self, whole: Any) -> list[Delta]:
        answer = responses.read_answer(whole if isinstance(whole, dict) else {})
        content = [] if self._has_content else content_deltas(answer.parts)
        return [*content, End(answer.finish, answer.usage)]


class GeminiReader(StreamReader):
    """Gemini: no event ends the stream, so its end does."""

    def __init__(self) -> None:
        self._ids: gemini.CallIds | None = None
        self._finish: Finish | None = None
        self._usage: TokenUsage | None = None
        self._count = 0

    def read(self, piece: dict[str, Any]) -> list[Delta]:
        found: list[Delta] = []
        if self._ids is None:
            name = string(piece.get("responseId"))
            self._ids = gemini.answer_ids(name)
            found.append(Begin(name, string(piece.get("modelVersion"))))
        self._usage = read_gemini_usage(piece) or self._usage
        self._finish = gemini.read_finish(piece) or self._finish
        read = (gemini.read_part(inside, self._ids) for inside in gemini.read_parts(piece))
        parts = [part for part in read if part is not None]
        found += content_deltas(parts, self._count)
        self._count += sum(isinstance(part, ToolCall) for part in parts)
        return found

    def close(self) -> list[Delta]:
        if self._finish is None:
            return []
        is_tools = self._count and self._finish == "stop"
        return [End("tools" if is_tools else self._finish, self._usage)]


def content_deltas(parts: Iterable[Part], number: int = 0) -> list[Delta]:
    """Whole parts as deltas; `number` is that of the first call."""
    found: list[Delta] = []
    for part in parts:
        if isinstance(part, PlainText):
            found.append(TextDelta(part.text))
        elif isinstance(part, Thinking):
            found.append(ThinkingDelta(part.text, part.seal))
        elif isinstance(part, ToolCall):
            found += [CallBegin(number, part.id, part.name), CallDelta(number, part.json_arguments)]
            number += 1
    return found
