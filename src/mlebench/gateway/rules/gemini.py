"""The permitted parts of a request to Gemini's generateContent."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import partial
from typing import Any

from mlebench.gateway.rules.chat import OWN_TOOLS
from mlebench.gateway.rules.shapes import (
    RequestCheck,
    Shape,
    anything,
    each,
    flag,
    image_data,
    image_type,
    json_object,
    list_of,
    not_allowed,
    number,
    one_of,
    spelled_fields,
    text,
)

UNDERSCORE = re.compile(r"_([a-z])")


def _spell(name: str) -> str:
    """The API accepts both spellings, `inline_data` and `inlineData`."""
    return UNDERSCORE.sub(lambda found: found[1].upper(), name)


_fields = partial(spelled_fields, _spell)


def _only(names: Collection[str], shape: Shape, hint: str = "") -> Shape:
    """An object whose other fields are refused, not removed: each is a kind of content or tool."""

    def check_names(value: Any, place: str, check: RequestCheck) -> Any:
        for name in value if isinstance(value, dict) else ():
            if _spell(name) not in names:
                raise not_allowed(f"{place}.{name}{hint}")
        return shape(value, place, check)

    return check_names


_blob = _fields("mimeType", "data", mimeType=image_type, data=image_data)
_result_part = _fields("inlineData", inlineData=_blob)
_contents_of_part: dict[str, Shape] = {
    "text": text,
    "thought": flag,
    "thoughtSignature": text,
    "inlineData": _blob,
    "functionCall": _fields("name", **each(text, "id name"), args=json_object),
    "functionResponse": _fields(
        "name", **each(text, "id name"), response=json_object, parts=list_of(_result_part)
    ),
}
_part = _only(
    {*_contents_of_part, "videoMetadata", "mediaResolution"}, _fields(**_contents_of_part)
)
_content = _fields(role=one_of("user", "model", "function", "system"), parts=list_of(_part))


def _contents(value: Any, place: str, check: RequestCheck) -> Any:
    return list_of(_content)(value if isinstance(value, list) else [value], place, check)


def _instruction(value: Any, place: str, check: RequestCheck) -> Any:
    if isinstance(value, str):
        return {"parts": [{"text": value}]}
    return _content(value, place, check)


_declaration = _fields(
    "name",
    **each(text, "name description"),
    **each(anything, "parameters parametersJsonSchema response responseJsonSchema"),
)
_tool = _only(
    ["functionDeclarations"], _fields(functionDeclarations=list_of(_declaration)), OWN_TOOLS
)


def _modalities(value: Any, place: str, check: RequestCheck) -> Any:
    if value not in ([], ["TEXT"]):
        raise not_allowed(f"{place} other than TEXT")
    return value


_settings = _fields(
    **each(number, "temperature topP topK candidateCount maxOutputTokens seed logprobs"),
    **each(number, "presencePenalty frequencyPenalty"),
    **each(text, "responseMimeType mediaResolution"),
    **each(anything, "responseSchema responseJsonSchema"),
    stopSequences=list_of(text),
    responseModalities=_modalities,
    responseLogprobs=flag,
    thinkingConfig=_fields(includeThoughts=flag, thinkingBudget=number, thinkingLevel=text),
)
_calling = _fields(
    mode=one_of("AUTO", "ANY", "NONE", "VALIDATED", "MODE_UNSPECIFIED"),
    allowedFunctionNames=list_of(text),
)
GEMINI_REQUEST = _fields(
    "contents",
    contents=_contents,
    systemInstruction=_instruction,
    tools=list_of(_tool),
    toolConfig=_fields(functionCallingConfig=_calling),
    generationConfig=_settings,
    safetySettings=list_of(_fields(**each(text, "category threshold"))),
)


def count_request(value: Any, place: str, check: RequestCheck) -> Any:
    """countTokens takes the contents, or a whole request inside another."""
    inner = value.get("generateContentRequest") if isinstance(value, dict) else None
    return GEMINI_REQUEST(value if inner is None else inner, place, check)
