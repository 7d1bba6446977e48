"""Assemble a whole answer from the pieces of its stream, in each protocol."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from typing import Any

from mlebench.gateway.dialects.neutral import read_arguments, string
from mlebench.gateway.rules import objects_in

GROWS = {"text_delta": "text", "thinking_delta": "thinking", "signature_delta": "signature"}
"""The text of a block that each kind of delta in Anthropic's messages extends."""


class Assembly(ABC):
    """Collects the pieces of a streamed answer."""

    is_complete = False

    @abstractmethod
    def add(self, piece: dict[str, Any]) -> None: ...

    @abstractmethod
    def answer(self) -> dict[str, Any]:
        """What has arrived so far."""


class ChatAssembly(Assembly):
    """For chat completions: concatenates texts and arguments of tool calls."""

    def __init__(self) -> None:
        self._facts: dict[str, Any] = {}
        self._choices: dict[int, dict[str, Any]] = {}

    def add(self, piece: dict[str, Any]) -> None:
        for name in ("id", "model", "created", "system_fingerprint", "usage"):
            if piece.get(name) is not None:
                self._facts[name] = piece[name]
        for part in objects_in(piece.get("choices")):
            index = part.get("index", 0)
            choice = self._choices.setdefault(
                index if isinstance(index, int) else 0,
                {"message": {"role": "assistant", "content": None}, "finish_reason": None},
            )
            choice["finish_reason"] = part.get("finish_reason") or choice["finish_reason"]
            if isinstance(part.get("delta"), dict):
                _merge_delta(choice["message"], part["delta"])

    def answer(self) -> dict[str, Any]:
        choices = []
        for index, choice in sorted(self._choices.items()):
            message = _join_texts(choice["message"])
            if calls := message.get("tool_calls"):
                message["tool_calls"] = [
                    call | {call["type"]: _join_texts(call[call["type"]])}
                    for call in calls.values()
                ]
            finish = choice["finish_reason"]
            choices.append({"index": index, "message": message, "finish_reason": finish})
        return {"object": "chat.completion", **self._facts, "choices": choices}


class _Pieces(list[str]):
    """A text that arrives in pieces; joined once, since there may be thousands."""


def _join_texts(values: dict[str, Any]) -> dict[str, Any]:
    return {k: "".join(v) if isinstance(v, _Pieces) else v for k, v in values.items()}


def _append(texts: dict[str, Any], name: str, text: str) -> None:
    if not isinstance(texts.get(name), _Pieces):
        texts[name] = _Pieces()
    texts[name].append(text)


def _merge_delta(message: dict[str, Any], delta: dict[str, Any]) -> None:
    for name, value in delta.items():
        if name == "tool_calls":
            calls = message.setdefault("tool_calls", {})
            for call in objects_in(value):
                index = call.get("index")
                place = index if isinstance(index, int) else len(calls)
                _merge_call(calls.setdefault(place, {}), call)
        elif isinstance(value, str) and name != "role":
            _append(message, name, value)


def _merge_call(call: dict[str, Any], piece: dict[str, Any]) -> None:
    call["id"] = piece.get("id") or call.get("id")
    kind = "custom" if isinstance(piece.get("custom"), dict) else "function"
    call["type"] = call.get("type") or kind
    texts = call.setdefault(call["type"], {})
    given = piece.get(call["type"])
    for name in ("name", "input" if call["type"] == "custom" else "arguments"):
        value = given.get(name) if isinstance(given, dict) else None
        _append(texts, name, value if isinstance(value, str) else "")


class ResponseAssembly(Assembly):
    """For responses: the last event contains the whole answer; until then, what was streamed."""

    def __init__(self) -> None:
        self._last: dict[str, Any] = {}
        self._items: dict[int, dict[str, Any]] = {}
        self._texts: dict[int, list[str]] = {}

    def add(self, piece: dict[str, Any]) -> None:
        kind, place = piece.get("type"), piece.get("output_index")
        if isinstance(piece.get("response"), dict):
            self._last = piece["response"]
        if kind in ("response.completed", "response.incomplete", "response.failed"):
            self.is_complete = True
        if not isinstance(place, int):
            return
        if isinstance(piece.get("item"), dict):
            self._items[place] = piece["item"]
            if kind == "response.output_item.done":
                self._texts.pop(place, None)
        elif string(kind).endswith(".delta") and isinstance(piece.get("delta"), str):
            self._texts.setdefault(place, []).append(piece["delta"])

    def answer(self) -> dict[str, Any]:
        if self.is_complete or not self._items:
            return self._last
        items = [self._partial(place) for place in sorted(self._items)]
        return self._last | {"output": items}

    def _partial(self, place: int) -> dict[str, Any]:
        item, text = self._items[place], "".join(self._texts.get(place, ()))
        if not text:
            return item
        kind = item.get("type")
        if kind in ("function_call", "custom_tool_call"):
            return {**item, "arguments" if kind == "function_call" else "input": text}
        if kind == "reasoning":
            return {**item, "summary": [{"type": "summary_text", "text": text}]}
        return {**item, "content": [{"type": "output_text", "text": text, "annotations": []}]}


class MessageAssembly(Assembly):
    """For Anthropic's messages: blocks by their index, each of which grows by deltas."""

    def __init__(self) -> None:
        self._message: dict[str, Any] = {}
        self._blocks: dict[int, dict[str, Any]] = {}
        self._inputs: dict[int, list[str]] = {}

    def add(self, piece: dict[str, Any]) -> None:
        kind, index = piece.get("type"), piece.get("index")
        if kind == "message_start" and isinstance(piece.get("message"), dict):
            self._message = dict(piece["message"])
        elif kind == "content_block_start" and isinstance(index, int):
            block = piece.get("content_block")
            self._blocks[index] = dict(block) if isinstance(block, dict) else {}
        elif kind == "content_block_delta" and index in self._blocks:
            if isinstance(piece.get("delta"), dict):
                self._grow(index, piece["delta"])
        elif kind == "message_delta":
            self._end(piece)
        elif kind == "message_stop":
            self.is_complete = True

    def _grow(self, index: int, delta: dict[str, Any]) -> None:
        if delta.get("type") == "input_json_delta":
            self._inputs.setdefault(index, []).append(string(delta.get("partial_json")))
        elif name := GROWS.get(string(delta.get("type"))):
            block = self._blocks[index]
            if isinstance(block.get(name), str):
                block[name] = _Pieces([block[name]])
            _append(block, name, string(delta.get(name)))

    def _end(self, piece: dict[str, Any]) -> None:
        if isinstance(piece.get("delta"), dict):
            self._message |= piece["delta"]
        if isinstance(piece.get("usage"), dict):
            before = self._message.get("usage")
            known = {k: v for k, v in piece["usage"].items() if v is not None}
            self._message["usage"] = (before if isinstance(before, dict) else {}) | known
        if isinstance(piece.get("context_management"), dict):
            self._message["context_management"] = piece["context_management"]

    def answer(self) -> dict[str, Any]:
        content = []
        for index, block in sorted(self._blocks.items()):
            whole = _join_texts(block)
            if text := "".join(self._inputs.get(index, ())):
                whole["input"] = read_arguments(text)
            content.append(whole)
        return self._message | {"content": content}


class GeminiAssembly(Assembly):
    """For Gemini: texts of the same kind are joined, other parts listed.

    No event ends the stream: it is complete once a piece says why the answer ended.
    """

    def __init__(self) -> None:
        self._facts: dict[str, Any] = {}
        self._candidates: dict[int, dict[str, Any]] = {}

    def add(self, piece: dict[str, Any]) -> None:
        self._facts |= {k: v for k, v in piece.items() if k != "candidates" and v is not None}
        feedback = piece.get("promptFeedback")
        if isinstance(feedback, dict) and feedback.get("blockReason"):
            self.is_complete = True
        for part in objects_in(piece.get("candidates")):
            index = part.get("index", 0)
            candidate = self._candidates.setdefault(
                index if isinstance(index, int) else 0, {"parts": []}
            )
            content = part.get("content")
            for inside in objects_in(content.get("parts") if isinstance(content, dict) else None):
                _add_part(candidate["parts"], inside)
            candidate |= {k: v for k, v in part.items() if k != "content"}
            self.is_complete = self.is_complete or bool(part.get("finishReason"))

    def answer(self) -> dict[str, Any]:
        found = []
        for _, candidate in sorted(self._candidates.items()):
            parts = [_join_texts(part) for part in candidate["parts"]]
            rest = {k: v for k, v in candidate.items() if k != "parts"}
            found.append({"content": {"role": "model", "parts": parts}, **rest})
        return {"candidates": found, **self._facts}


def _add_part(parts: list[dict[str, Any]], part: dict[str, Any]) -> None:
    last = parts[-1] if parts else {}
    is_text = set(part) <= {"text", "thought"} and isinstance(part.get("text"), str)
    is_same_kind = bool(last.get("thought")) == bool(part.get("thought"))
    if is_text and isinstance(last.get("text"), _Pieces) and is_same_kind:
        last["text"].append(part["text"])
    elif is_text and not part["text"] and parts:
        return  # the piece that only says why the answer ended
    elif is_text:
        parts.append({**part, "text": _Pieces([part["text"]])})
    else:
        parts.append(part)


def chat_pieces(answer: dict[str, Any]) -> list[dict[str, Any]]:
    """A short stream equivalent to a whole chat completion, without its last line."""
    facts = {k: v for k, v in answer.items() if k not in ("choices", "usage")}
    facts["object"] = "chat.completion.chunk"
    pieces = []
    for choice in objects_in(answer.get("choices")):
        delta = {k: v for k, v in choice.get("message", {}).items() if v is not None}
        if calls := delta.get("tool_calls"):
            delta["tool_calls"] = [{"index": i, **call} for i, call in enumerate(calls)]
        part = {"index": choice.get("index", 0), "delta": delta, "finish_reason": None}
        end = {**part, "delta": {}, "finish_reason": choice.get("finish_reason")}
        pieces += [facts | {"choices": [part]}, facts | {"choices": [end]}]
    if answer.get("usage"):
        pieces.append(facts | {"choices": [], "usage": answer["usage"]})
    return pieces


def response_pieces(answer: dict[str, Any]) -> list[dict[str, Any]]:
    """A short stream equivalent to a whole response."""
    items = enumerate(objects_in(answer.get("output")))
    return [
        {"type": "response.created", "response": answer | {"status": "in_progress"}},
        *({"type": "response.output_item.done", "output_index": i, "item": x} for i, x in items),
        {"type": "response.completed", "response": answer},
    ]


def message_pieces(answer: dict[str, Any]) -> list[dict[str, Any]]:
    """A short stream equivalent to a whole message of Anthropic's."""
    facts = {k: v for k, v in answer.items() if k != "content"}
    end = {name: facts.pop(name, None) for name in ("stop_reason", "stop_sequence")}
    start = facts | {"content": [], "stop_reason": None, "stop_sequence": None}
    pieces: list[dict[str, Any]] = [{"type": "message_start", "message": start}]
    for index, block in enumerate(objects_in(answer.get("content"))):
        first, deltas = _block_pieces(block)
        pieces.append({"type": "content_block_start", "index": index, "content_block": first})
        pieces += [{"type": "content_block_delta", "index": index, "delta": d} for d in deltas]
        pieces.append({"type": "content_block_stop", "index": index})
    pieces.append({"type": "message_delta", "delta": end, "usage": answer.get("usage") or {}})
    return [*pieces, {"type": "message_stop"}]


def _block_pieces(block: dict[str, Any]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    if block.get("type") == "tool_use":
        text = json.dumps(block.get("input") or {})
        return block | {"input": {}}, [{"type": "input_json_delta", "partial_json": text}]
    deltas = []
    for kind, name in GROWS.items():
        if isinstance(block.get(name), str):
            deltas.append({"type": kind, name: block[name]})
            block = block | {name: ""}
    return block, deltas
