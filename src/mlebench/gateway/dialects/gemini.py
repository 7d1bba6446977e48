"""Gemini's generateContent: requests and whole answers."""

from __future__ import annotations

import json
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
    call_names,
    merged,
    string,
)
from mlebench.gateway.prices import TokenUsage, read_gemini_usage
from mlebench.gateway.rules import objects_in

UNSIGNED = "skip_thought_signature_validator"
"""Accepted by the API in the place of a signature that another protocol could not carry."""

FINISHES: dict[str, Finish] = {"STOP": "stop", "MAX_TOKENS": "length"}
FILTERED = (
    "SAFETY RECITATION BLOCKLIST PROHIBITED_CONTENT SPII LANGUAGE IMAGE_SAFETY MODEL_ARMOR".split()
)
REASONS = {"stop": "STOP", "length": "MAX_TOKENS", "tools": "STOP", "filter": "SAFETY"}
MODES = {"AUTO": "auto", "ANY": "required", "NONE": "none", "VALIDATED": "auto"}
WRITTEN_MODES = {"auto": "AUTO", "required": "ANY", "none": "NONE"}


def read_request(body: dict[str, Any]) -> Prompt:
    """A checked request with its model and whether it is streamed, which its address states."""
    calls = CallIds()
    turns = [_read_turn(content, calls) for content in body["contents"]]
    if system := _read_turn(body.get("systemInstruction") or {}, calls).parts:
        turns.insert(0, Turn("system", system))
    settings = body.get("generationConfig") or {}
    called = (body.get("toolConfig") or {}).get("functionCallingConfig") or {}
    names = called.get("allowedFunctionNames") or []
    choice = MODES.get(called.get("mode") or "")
    is_json = settings.get("responseMimeType") == "application/json"
    schema = settings.get("responseJsonSchema")
    if schema is None and settings.get("responseSchema") is not None:
        schema = _lower_types(settings["responseSchema"])
    return Prompt(
        model=body["model"],
        turns=turns,
        tools=[
            _read_tool(tool)
            for group in objects_in(body.get("tools"))
            for tool in objects_in(group.get("functionDeclarations"))
        ],
        tool_choice=f"={names[0]}" if choice == "required" and len(names) == 1 else choice,
        temperature=settings.get("temperature"),
        top_p=settings.get("topP"),
        top_k=settings.get("topK"),
        stop=settings.get("stopSequences") or [],
        seed=settings.get("seed"),
        schema=schema if is_json else None,
        is_json=is_json,
        is_stream=body.get("stream") is True,
    )


class CallIds:
    """Ids for calls without one: results are matched to calls by name, in order.

    Args:
        prefix: of these ids, for calls of one answer one that no other answer has.
    """

    def __init__(self, prefix: str = "call") -> None:
        self._prefix = prefix
        self._count = 0
        self._open: dict[str, list[str]] = {}

    def call(self, given: str, name: str) -> str:
        self._count += 1
        found = given or f"{self._prefix}_{self._count}"
        self._open.setdefault(name, []).append(found)
        return found

    def result(self, given: str, name: str) -> str:
        waiting = self._open.get(name) or [name]
        found = given if given in waiting else waiting[0]
        if found in waiting:
            waiting.remove(found)
        return given or found


def _read_tool(tool: dict[str, Any]) -> Tool:
    schema = tool.get("parametersJsonSchema")
    if schema is None and tool.get("parameters") is not None:
        schema = _lower_types(tool["parameters"])
    return Tool(tool["name"], tool.get("description") or "", schema)


def _lower_types(schema: Any) -> Any:
    """Gemini's schemas have types in capitals, JSON schemas do not."""
    if isinstance(schema, list):
        return [_lower_types(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        name: value.lower() if name == "type" and isinstance(value, str) else _lower_types(value)
        for name, value in schema.items()
    }


def _read_turn(content: dict[str, Any], calls: CallIds) -> Turn:
    parts = [
        part
        for piece in objects_in(content.get("parts"))
        if (part := read_part(piece, calls)) is not None
    ]
    role = content.get("role")
    if role == "system":
        return Turn("system", parts)
    return Turn("assistant" if role == "model" else "user", parts)


def read_part(piece: dict[str, Any], calls: CallIds) -> Part | None:
    """A part of a request or of an answer."""
    if isinstance(call := piece.get("functionCall"), dict):
        name = string(call.get("name"))
        values = json.dumps(call.get("args") or {})
        return ToolCall(calls.call(string(call.get("id")), name), name, values)
    if isinstance(result := piece.get("functionResponse"), dict):
        return _read_result(result, calls)
    if isinstance(blob := piece.get("inlineData"), dict):
        return Image(string(blob.get("mimeType")), string(blob.get("data")))
    if text := string(piece.get("text")):
        return Thinking(text) if piece.get("thought") else PlainText(text)
    return None


def _read_result(result: dict[str, Any], calls: CallIds) -> ToolResult:
    name, values = string(result.get("name")), result.get("response") or {}
    output = values.get("output") if set(values) == {"output"} else values
    text = output if isinstance(output, str) else json.dumps(output, ensure_ascii=False)
    blobs = [piece["inlineData"] for piece in objects_in(result.get("parts"))]
    images = [Image(blob["mimeType"], blob["data"]) for blob in blobs]
    call = calls.result(string(result.get("id")), name)
    return ToolResult(call, (PlainText(text), *images), "error" in values, name)


def write_request(prompt: Prompt) -> dict[str, Any]:
    """A request to a provider that speaks Gemini's API; model and stream are in its address."""
    instructions, turns = prompt.leading()
    names = call_names(turns)
    contents = [
        {"role": "model" if turn.role == "assistant" else "user", "parts": parts}
        for turn in merged(turns)
        if (parts := _write_parts(turn, names))
    ]
    settings: dict[str, Any] = {
        "maxOutputTokens": prompt.max_output,
        "temperature": prompt.temperature,
        "topP": prompt.top_p,
        "topK": prompt.top_k,
        "stopSequences": prompt.stop,
        "seed": prompt.seed,
        "responseMimeType": "application/json" if prompt.is_json else None,
        "responseJsonSchema": prompt.schema if prompt.is_json else None,
    }
    body: dict[str, Any] = {
        "contents": contents,
        "generationConfig": {k: v for k, v in settings.items() if v not in (None, [])},
    }
    if instructions:
        body["systemInstruction"] = {"parts": [{"text": instructions}]}
    if prompt.tools:
        tools = [{**tool.label, "parametersJsonSchema": tool.parameters} for tool in prompt.tools]
        body["tools"] = [{"functionDeclarations": tools}]
        if choice := prompt.tool_choice:
            called = {"mode": "ANY", "allowedFunctionNames": [choice[1:]]}
            mode = called if choice.startswith("=") else {"mode": WRITTEN_MODES[choice]}
            body["toolConfig"] = {"functionCallingConfig": mode}
    return body


def _write_parts(turn: Turn, names: dict[str, str]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for part in turn.parts:
        if isinstance(part, PlainText) and part.text:
            found.append({"text": part.text})
        elif isinstance(part, Image):
            found.append(_write_image(part))
        elif isinstance(part, ToolCall):
            found.append({**write_call(part), "thoughtSignature": UNSIGNED})
        elif isinstance(part, ToolResult):
            name = part.name or names.get(part.call_id, part.call_id)
            key = "error" if part.is_error else "output"
            facts = {"id": part.call_id, "name": name, "response": {key: part.text}}
            found.append({"functionResponse": facts})
            found += [_write_image(image) for image in part.images]
    return found


def _write_image(image: Image) -> dict[str, Any]:
    return {"inlineData": {"mimeType": image.media_type, "data": image.data}}


def write_call(call: ToolCall) -> dict[str, Any]:
    return {"functionCall": {"id": call.id, "name": call.name, "args": call.values}}


def answer_ids(response: str) -> CallIds:
    """Ids for the calls of one answer."""
    return CallIds(f"call_{response or '0'}")


def read_parts(body: dict[str, Any]) -> list[dict[str, Any]]:
    """The parts of the first candidate of an answer or of a piece of one."""
    candidate = (objects_in(body.get("candidates")) or [{}])[0]
    content = candidate.get("content")
    return objects_in(content.get("parts")) if isinstance(content, dict) else []


def read_finish(body: dict[str, Any]) -> Finish | None:
    """Why an answer ended; None if this piece does not say."""
    candidate = (objects_in(body.get("candidates")) or [{}])[0]
    reason = string(candidate.get("finishReason"))
    feedback = body.get("promptFeedback")
    if reason in FILTERED or (isinstance(feedback, dict) and feedback.get("blockReason")):
        return "filter"
    return FINISHES.get(reason, "stop") if reason else None


def read_answer(body: dict[str, Any]) -> Answer:
    """A provider's answer; only its first candidate."""
    finish = read_finish(body)
    if finish is None and not read_parts(body):
        raise ValueError("an answer without candidates")
    response = string(body.get("responseId"))
    calls = answer_ids(response)
    parts = [part for piece in read_parts(body) if (part := read_part(piece, calls)) is not None]
    if finish in (None, "stop") and any(isinstance(part, ToolCall) for part in parts):
        finish = "tools"
    usage = read_gemini_usage(body)
    return Answer(response, string(body.get("modelVersion")), parts, finish or "stop", usage)


def write_answer(answer: Answer, prompt: Prompt) -> dict[str, Any]:
    parts = [piece for part in answer.parts if (piece := write_part(part))]
    return write_piece(answer, parts, is_last=True)


def write_part(part: Part) -> dict[str, Any]:
    """A part of an answer."""
    if isinstance(part, PlainText):
        return {"text": part.text}
    if isinstance(part, Thinking):
        return {"text": part.text, "thought": True}
    if isinstance(part, ToolCall):
        return write_call(part)
    return {}


def write_piece(
    answer: Answer, parts: list[dict[str, Any]], *, is_last: bool = False
) -> dict[str, Any]:
    """An answer or a piece of a streamed one."""
    candidate: dict[str, Any] = {"content": {"role": "model", "parts": parts}, "index": 0}
    if is_last:
        candidate["finishReason"] = REASONS[answer.finish]
    found: dict[str, Any] = {"candidates": [candidate]}
    if answer.usage is not None:
        found["usageMetadata"] = write_usage(answer.usage)
    return found | {"modelVersion": answer.model, "responseId": answer.id or "0"}


def write_usage(usage: TokenUsage) -> dict[str, Any]:
    return {
        "promptTokenCount": usage.input,
        "candidatesTokenCount": usage.output,
        "cachedContentTokenCount": usage.cached,
        "totalTokenCount": usage.input + usage.output,
    }
