"""The permitted parts of a request to Gemini's generateContent."""

from __future__ import annotations

import re
from typing import Any

from mlebench.gateway.rules.chat import OWN_TOOLS
from mlebench.gateway.rules.shapes import (
    Denied,
    RequestCheck,
    Shape,
    anything,
    fields,
    flag,
    image_data,
    image_type,
    json_object,
    list_of,
    not_allowed,
    number,
    one_of,
    text,
)

UNDERSCORE = re.compile(r"_([a-z])")


def _spell(name: str) -> str:
    """The API accepts both spellings, `inline_data` and `inlineData`."""
    return UNDERSCORE.sub(lambda found: found[1].upper(), name)


def _fields(shapes: dict[str, Shape], required: tuple[str, ...] = ()) -> Shape:
    return fields(shapes, required=required, spell=_spell)


_blob = _fields({"mimeType": image_type, "data": image_data}, ("mimeType", "data"))
_shapes: dict[str, Shape] = {
    "text": text,
    "thought": flag,
    "thoughtSignature": text,
    "inlineData": _blob,
    "functionCall": _fields({"id": text, "name": text, "args": json_object}, ("name",)),
    "functionResponse": _fields(
        {
            "id": text,
            "name": text,
            "response": json_object,
            "parts": list_of(_fields({"inlineData": _blob}, ("inlineData",))),
        },
        ("name",),
    ),
}
_known_part = _fields(_shapes)


def _part(value: Any, place: str, check: RequestCheck) -> Any:
    """A part has one kind of content, named by its field; kinds that are not listed are refused."""
    if isinstance(value, dict):
        for name in value:
            if _spell(name) not in _shapes and name not in ("videoMetadata", "mediaResolution"):
                raise not_allowed(f"{place}.{name}")
    return _known_part(value, place, check)


_content = _fields({"role": one_of("user", "model", "function", "system"), "parts": list_of(_part)})


def _contents(value: Any, place: str, check: RequestCheck) -> Any:
    return list_of(_content)(value if isinstance(value, list) else [value], place, check)


def _instruction(value: Any, place: str, check: RequestCheck) -> Any:
    if isinstance(value, str):
        return {"parts": [{"text": value}]}
    return _content(value, place, check)


_declarations = _fields(
    {
        "functionDeclarations": list_of(
            _fields(
                {
                    "name": text,
                    "description": text,
                    "parameters": anything,
                    "parametersJsonSchema": anything,
                    "response": anything,
                    "responseJsonSchema": anything,
                },
                ("name",),
            )
        )
    }
)


def _tool(value: Any, place: str, check: RequestCheck) -> Any:
    if isinstance(value, dict):
        for name in value:
            if _spell(name) != "functionDeclarations":
                raise not_allowed(f"{place}.{name}{OWN_TOOLS}")
    return _declarations(value, place, check)


def _modalities(value: Any, place: str, check: RequestCheck) -> Any:
    if value not in ([], ["TEXT"]):
        raise not_allowed(f"{place} other than TEXT")
    return value


_settings = _fields(
    {
        "temperature": number,
        "topP": number,
        "topK": number,
        "candidateCount": number,
        "maxOutputTokens": number,
        "stopSequences": list_of(text),
        "presencePenalty": number,
        "frequencyPenalty": number,
        "seed": number,
        "responseMimeType": text,
        "responseSchema": anything,
        "responseJsonSchema": anything,
        "responseModalities": _modalities,
        "responseLogprobs": flag,
        "logprobs": number,
        "mediaResolution": text,
        "thinkingConfig": _fields(
            {"includeThoughts": flag, "thinkingBudget": number, "thinkingLevel": text}
        ),
    }
)
_tool_config = _fields(
    {
        "functionCallingConfig": _fields(
            {
                "mode": one_of("AUTO", "ANY", "NONE", "VALIDATED", "MODE_UNSPECIFIED"),
                "allowedFunctionNames": list_of(text),
            }
        )
    }
)
GEMINI_REQUEST = _fields(
    {
        "contents": _contents,
        "systemInstruction": _instruction,
        "tools": list_of(_tool),
        "toolConfig": _tool_config,
        "generationConfig": _settings,
        "safetySettings": list_of(_fields({"category": text, "threshold": text})),
    },
    ("contents",),
)


def count_request(value: Any, place: str, check: RequestCheck) -> Any:
    """countTokens takes the contents, or a whole request inside another."""
    inner = value.get("generateContentRequest") if isinstance(value, dict) else None
    if inner is None:
        return GEMINI_REQUEST(value, place, check)
    if not isinstance(inner, dict):
        raise Denied(400, "'generateContentRequest' must be an object", "invalid_request")
    return GEMINI_REQUEST(inner, place, check)
