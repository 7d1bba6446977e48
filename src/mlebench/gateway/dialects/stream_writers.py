"""Write neutral deltas as the streams that agents expect, in each protocol."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any

from mlebench.gateway.dialects import chat, gemini, messages
from mlebench.gateway.dialects.neutral import (
    Answer,
    Begin,
    CallBegin,
    CallDelta,
    Delta,
    End,
    Part,
    PlainText,
    Prompt,
    TextDelta,
    Thinking,
    ThinkingDelta,
    ToolCall,
    plain_input,
)
from mlebench.gateway.prices import TokenUsage
from mlebench.gateway.streams import DONE, Event, named_events, plain_events


class Collected:
    """What a stream has said so far: its parts in order, the texts of each in pieces."""

    def __init__(self, prompt: Prompt) -> None:
        self.customs = prompt.custom_names
        self.id, self.model = "", prompt.model
        self.kinds: list[type[Part]] = []
        self.texts: list[list[str]] = []
        self.places: dict[int, int] = {}
        """The place of each call."""

        self.calls: dict[int, CallBegin] = {}
        """The calls by their place."""

        self.seals: dict[int, str] = {}
        """Of thoughts, by their place."""

    def begin(self, delta: Begin) -> None:
        self.id, self.model = delta.id, delta.model

    def add(self, delta: TextDelta | ThinkingDelta) -> tuple[int, bool]:
        """The place of a delta, and whether it starts a part."""
        kind = PlainText if isinstance(delta, TextDelta) else Thinking
        place = len(self.kinds) - 1
        is_new = not self.kinds or self.kinds[-1] is not kind or place in self.seals
        if is_new:
            self.kinds.append(kind)
            self.texts.append([])
            place += 1
        self.texts[-1].append(delta.text)
        if isinstance(delta, ThinkingDelta) and delta.seal:
            self.seals[place] = delta.seal
        return place, is_new

    def begin_call(self, call: CallBegin) -> int:
        place = self.places[call.number] = len(self.kinds)
        self.kinds.append(ToolCall)
        self.texts.append([])
        self.calls[place] = call
        return place

    def part(self, place: int) -> Part:
        text = "".join(self.texts[place])
        if place not in self.calls:
            is_text = self.kinds[place] is PlainText
            return PlainText(text) if is_text else Thinking(text, self.seals.get(place, ""))
        call = self.calls[place]
        if call.name in self.customs:
            return ToolCall(call.id, call.name, plain_input(text), is_custom=True)
        return ToolCall(call.id, call.name, text or "{}")

    def answer(self, end: End | None = None) -> Answer:
        parts = [self.part(place) for place in range(len(self.kinds))]
        finish, usage = (end.finish, end.usage) if end else ("stop", None)
        return Answer(self.id, self.model, parts, finish, usage)


class StreamWriter(ABC):
    """Writes the events of one answer."""

    def __init__(self, prompt: Prompt) -> None:
        self._said = Collected(prompt)
        self._open: list[int] = []
        """The places of parts that have begun and not ended."""

    @abstractmethod
    def write(self, delta: Delta) -> list[Event]: ...

    def _end_parts(self, *, is_last: bool = False) -> list[int]:
        """The places of the parts that end now: texts; all, if the answer ends."""
        ended = [place for place in self._open if is_last or place not in self._said.calls]
        self._open = [place for place in self._open if place not in ended]
        return ended


class ChatWriter(StreamWriter):
    """Chat completions."""

    def write(self, delta: Delta) -> list[Event]:
        said = self._said
        if isinstance(delta, Begin):
            said.begin(delta)
            return [self._chunk({"role": "assistant", "content": ""})]
        if isinstance(delta, TextDelta):
            return [self._chunk({"content": delta.text})]
        if isinstance(delta, ThinkingDelta):
            return [self._chunk({"reasoning_content": delta.text})] if delta.text else []
        if isinstance(delta, CallBegin):
            said.begin_call(delta)
            if delta.name in said.customs:
                return []
            function = {"name": delta.name, "arguments": ""}
            facts = {"id": delta.id, "type": "function", "function": function}
            return [self._chunk({"tool_calls": [{"index": delta.number, **facts}]})]
        if isinstance(delta, CallDelta):
            return self._arguments(delta)
        return self._end(delta)

    def _arguments(self, delta: CallDelta) -> list[Event]:
        place = self._said.places[delta.number]
        if self._said.calls[place].name in self._said.customs:
            self._said.texts[place].append(delta.text)
            return []
        call = {"index": delta.number, "function": {"arguments": delta.text}}
        return [self._chunk({"tool_calls": [call]})]

    def _end(self, end: End) -> list[Event]:
        events = []
        for place, call in self._said.calls.items():
            if call.name in self._said.customs:
                part = self._said.part(place)
                if isinstance(part, ToolCall):
                    whole = chat.write_call(part, self._said.customs)
                    events.append(self._chunk({"tool_calls": [{"index": call.number, **whole}]}))
        events.append(self._chunk({}, chat.REASONS[end.finish]))
        if end.usage:
            facts = {**self._facts(), "choices": [], "usage": chat.write_usage(end.usage)}
            events += plain_events([facts])
        return [*events, (None, DONE)]

    def _facts(self) -> dict[str, Any]:
        kind = "chat.completion.chunk"
        return {"id": self._said.id, "object": kind, "created": 0, "model": self._said.model}

    def _chunk(self, delta: dict[str, Any], finish: str | None = None) -> Event:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        return None, json.dumps({**self._facts(), "choices": [choice]})


class MessagesWriter(StreamWriter):
    """Anthropic's messages: texts end when another block starts, calls with the answer."""

    def write(self, delta: Delta) -> list[Event]:
        return named_events(self._pieces(delta))

    def _pieces(self, delta: Delta) -> Iterator[dict[str, Any]]:
        said = self._said
        if isinstance(delta, Begin):
            said.begin(delta)
            start = messages.write_answer(said.answer(), Prompt("", []))
            usage = messages.write_usage(TokenUsage(delta.input_tokens, 0))
            message = start | {"stop_reason": None, "usage": usage}
            yield {"type": "message_start", "message": message}
        elif isinstance(delta, TextDelta | ThinkingDelta):
            place, is_new = said.add(delta)
            name = "text" if isinstance(delta, TextDelta) else "thinking"
            if is_new:
                yield from self._stop_blocks()
                block = messages.write_block(PlainText("") if name == "text" else Thinking(""))
                yield self._start(place, block)
            if delta.text:
                yield self._delta(place, {"type": f"{name}_delta", name: delta.text})
            if isinstance(delta, ThinkingDelta) and delta.seal:
                yield self._delta(place, {"type": "signature_delta", "signature": delta.seal})
        elif isinstance(delta, CallBegin):
            yield from self._stop_blocks()
            block = {"type": "tool_use", "id": delta.id, "name": delta.name, "input": {}}
            yield self._start(said.begin_call(delta), block)
        elif isinstance(delta, CallDelta):
            place = said.places[delta.number]
            yield self._delta(place, {"type": "input_json_delta", "partial_json": delta.text})
        else:
            yield from self._end(delta)

    def _start(self, place: int, block: dict[str, Any]) -> dict[str, Any]:
        self._open.append(place)
        return {"type": "content_block_start", "index": place, "content_block": block}

    @staticmethod
    def _delta(place: int, delta: dict[str, Any]) -> dict[str, Any]:
        return {"type": "content_block_delta", "index": place, "delta": delta}

    def _stop_blocks(self, *, is_last: bool = False) -> Iterator[dict[str, Any]]:
        for place in self._end_parts(is_last=is_last):
            yield {"type": "content_block_stop", "index": place}

    def _end(self, end: End) -> Iterator[dict[str, Any]]:
        yield from self._stop_blocks(is_last=True)
        delta = {"stop_reason": messages.REASONS[end.finish], "stop_sequence": None}
        usage = messages.write_usage(end.usage or TokenUsage(0, 0))
        yield {"type": "message_delta", "delta": delta, "usage": usage}
        yield {"type": "message_stop"}


class GeminiWriter(StreamWriter):
    """Gemini: texts as they come, calls whole at the end."""

    def write(self, delta: Delta) -> list[Event]:
        said = self._said
        if isinstance(delta, Begin):
            said.begin(delta)
        elif isinstance(delta, TextDelta):
            return [self._event([gemini.write_part(PlainText(delta.text))])]
        elif isinstance(delta, ThinkingDelta):
            thought = gemini.write_part(Thinking(delta.text))
            return [self._event([thought])] if delta.text else []
        elif isinstance(delta, CallBegin):
            said.begin_call(delta)
        elif isinstance(delta, CallDelta):
            said.texts[said.places[delta.number]].append(delta.text)
        else:
            calls = [gemini.write_part(said.part(place)) for place in said.calls]
            return [self._event(calls or [{"text": ""}], delta)]
        return []

    def _event(self, parts: list[dict[str, Any]], end: End | None = None) -> Event:
        answer = self._said.answer(end)
        piece = gemini.write_piece(answer, parts, is_last=end is not None)
        return None, json.dumps(piece)
