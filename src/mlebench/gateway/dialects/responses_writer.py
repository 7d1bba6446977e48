"""Write neutral deltas as a stream of OpenAI's Responses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mlebench.gateway.dialects import responses
from mlebench.gateway.dialects.neutral import (
    Begin,
    CallBegin,
    CallDelta,
    Delta,
    PlainText,
    Prompt,
    TextDelta,
    ThinkingDelta,
)
from mlebench.gateway.dialects.stream_writers import StreamWriter
from mlebench.gateway.streams import Event, named_events

Piece = tuple[str, dict[str, Any]]
"""The end of an event's name, and what it contains."""


class ResponsesWriter(StreamWriter):
    """OpenAI's Responses: texts end when another item starts, calls with the answer."""

    def __init__(self, prompt: Prompt) -> None:
        super().__init__(prompt)
        self._number = 0

    def write(self, delta: Delta) -> list[Event]:
        pieces = []
        for kind, facts in self._pieces(delta):
            pieces.append({"type": f"response.{kind}", "sequence_number": self._number, **facts})
            self._number += 1
        return named_events(pieces)

    def _pieces(self, delta: Delta) -> Iterator[Piece]:
        said = self._said
        if isinstance(delta, Begin):
            said.begin(delta)
            whole = responses.write_response(said.answer(), [])
            start = {"response": whole | {"status": "in_progress", "usage": None}}
            yield "created", start
            yield "in_progress", start
        elif isinstance(delta, TextDelta | ThinkingDelta):
            place, is_new = said.add(delta)
            if is_new:
                yield from self._close_items()
                yield from self._start_text(place)
            kind = "output_text" if isinstance(delta, TextDelta) else "reasoning_summary_text"
            if delta.text:
                yield f"{kind}.delta", {**self._inside(place), "delta": delta.text}
        elif isinstance(delta, CallBegin):
            yield from self._close_items()
            place = said.begin_call(delta)
            self._open.append(place)
            empty = {"input": ""} if delta.name in said.customs else {"arguments": ""}
            item = self._item(place) | {"status": "in_progress"} | empty
            yield "output_item.added", {"output_index": place, "item": item}
        elif isinstance(delta, CallDelta):
            yield from self._arguments(delta)
        else:
            yield from self._close_items(is_last=True)
            answer = said.answer(delta)
            items = [self._item(place) for place in range(len(said.kinds))]
            whole = responses.write_response(answer, items)
            yield whole["status"], {"response": whole}

    def _arguments(self, delta: CallDelta) -> Iterator[Piece]:
        place = self._said.places[delta.number]
        self._said.texts[place].append(delta.text)
        if self._said.calls[place].name not in self._said.customs:
            facts = {"item_id": f"fc_{place}", "output_index": place, "delta": delta.text}
            yield "function_call_arguments.delta", facts

    def _item(self, place: int) -> dict[str, Any]:
        return responses.write_item(self._said.part(place), place, self._said.customs)

    def _inside(self, place: int) -> dict[str, Any]:
        """Where in the answer the text of an item is."""
        if self._said.kinds[place] is PlainText:
            return {"item_id": f"msg_{place}", "output_index": place, "content_index": 0}
        return {"item_id": f"rs_{place}", "output_index": place, "summary_index": 0}

    def _start_text(self, place: int) -> Iterator[Piece]:
        self._open.append(place)
        is_text = self._said.kinds[place] is PlainText
        item = self._item(place) | ({"content": []} if is_text else {"summary": []})
        added = {"output_index": place, "item": item | {"status": "in_progress"}}
        yield "output_item.added", added
        name = "content_part" if is_text else "reasoning_summary_part"
        yield f"{name}.added", {**self._inside(place), "part": self._text_part(place, "")}

    def _text_part(self, place: int, text: str) -> dict[str, Any]:
        if self._said.kinds[place] is PlainText:
            return responses.output_text(text)
        return {"type": "summary_text", "text": text}

    def _close_items(self, *, is_last: bool = False) -> Iterator[Piece]:
        for place in self._end_parts(is_last=is_last):
            yield from self._close(place)

    def _close(self, place: int) -> Iterator[Piece]:
        item = self._item(place)
        inside = {"item_id": item["id"], "output_index": place}
        if item["type"] == "function_call":
            yield "function_call_arguments.done", {**inside, "arguments": item["arguments"]}
        elif item["type"] == "custom_tool_call":
            yield "custom_tool_call_input.delta", {**inside, "delta": item["input"]}
            yield "custom_tool_call_input.done", {**inside, "input": item["input"]}
        else:
            is_text = item["type"] == "message"
            kind = "output_text" if is_text else "reasoning_summary_text"
            name = "content_part" if is_text else "reasoning_summary_part"
            where, text = self._inside(place), "".join(self._said.texts[place])
            yield f"{kind}.done", {**where, "text": text}
            yield f"{name}.done", {**where, "part": self._text_part(place, text)}
        yield "output_item.done", {"output_index": place, "item": item}
