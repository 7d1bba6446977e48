"""The building blocks of the rules: a shape checks a value and returns the permitted part of it.

Everything that an agent sends passes through a shape, so a field without a shape never reaches the
provider, at any depth.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

MAX_DEPTH = 100
MAX_REMOVED = 100
INDEX = re.compile(r"\[\d+\]")
DATA_URL = re.compile(r"data:image/[\w.+-]{1,40};base64,[A-Za-z0-9+/\s]*={0,2}\s*")
IMAGE_TYPE = re.compile(r"image/[\w.+-]{1,40}")
BASE64 = re.compile(r"[A-Za-z0-9+/_\-\s]*={0,2}\s*")


def names(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _plain(name: str) -> str:
    return name.lower().replace("_", "").replace("-", "")


DANGEROUS = frozenset(
    map(
        _plain,
        names(
            """api_base base_url api_key api_version extra_headers extra_body extra_query headers
            authorization user_config organization project custom_llm_provider web_search
            web_search_options web_fetch search_parameters google_search google_search_retrieval
            code_execution code_interpreter url_context google_maps file_search computer_use
            enterprise_web_search mcp mcp_servers plugins provider providers route models
            transforms fallbacks preset previous_response_id background conversation prompt
            service_tier speed prediction modalities audio best_of max_tool_calls server_url
            server_label connector_id container skills file_id file_ids file_url file_uri file_data
            vector_store_ids cached_content url image_url video_url source"""
        ),
    )
)
"""Fields that redirect a request, keep state, let the provider act, or change the price."""


class Denied(Exception):
    """The request is not forwarded; the text is for the agent."""

    def __init__(self, status: int, message: str, code: str) -> None:
        super().__init__(message)
        self.status = status
        self.code = code


@dataclass
class RequestCheck:
    """What the check of one request notes besides its verdict."""

    removed: dict[str, None] = field(default_factory=dict)
    """Places of fields that were left out, each once."""

    images: list[str] = field(default_factory=list)
    """The texts that the provider reads as images."""

    def remove(self, place: str) -> None:
        name = place.rpartition(".")[2]
        if _plain(name) in DANGEROUS:
            raise not_allowed(place)
        if len(self.removed) < MAX_REMOVED:
            self.removed[INDEX.sub("[]", place)[:200]] = None


Shape = Callable[[Any, str, RequestCheck], Any]


def not_allowed(what: str) -> Denied:
    return Denied(400, f"not allowed: {what[:200]}", "not_allowed")


def wrong_type(place: str, expected: str) -> Denied:
    return Denied(400, f"{place[:200]!r} must be {expected}", "invalid_request")


def typed(kind: type, expected: str) -> Shape:
    """A value of one type, which `expected` names in the message."""

    def check_type(value: Any, place: str, check: RequestCheck) -> Any:
        if not isinstance(value, kind):
            raise wrong_type(place, expected)
        return value

    return check_type


text = typed(str, "a text")
flag = typed(bool, "true or false")
json_object = typed(dict, "an object")
"""For arguments of an agent's own tools, which the provider only shows a model."""


def number(value: Any, place: str, check: RequestCheck) -> Any:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise wrong_type(place, "a number")
    return value


def anything(value: Any, place: str, check: RequestCheck) -> Any:
    """For schemas of an agent's own tools, which the provider only shows a model."""
    return value


def empty(value: Any, place: str, check: RequestCheck) -> Any:
    """Part of an earlier answer, which refers to what the provider looked up."""
    if value:
        raise not_allowed(f"{place} that is not empty")
    return value


def one_of(*allowed: str) -> Shape:
    def check_choice(value: Any, place: str, check: RequestCheck) -> Any:
        if not isinstance(value, str) or value not in allowed:
            raise not_allowed(f"{place} {value!r}; expected one of {', '.join(allowed)}")
        return value

    return check_choice


def each(shape: Shape, field_names: str) -> dict[str, Shape]:
    """The same shape for several fields."""
    return dict.fromkeys(field_names.split(), shape)


def spelled_fields(spell: Callable[[str], str], /, *required: str, **shapes: Shape) -> Shape:
    """An object with listed fields, some of them required; null values are left as they are.

    Args:
        spell: returns the usual spelling of a field, where a protocol accepts several.
    """

    def check_fields(value: Any, place: str, check: RequestCheck) -> Any:
        if not isinstance(value, dict):
            raise wrong_type(place or "the request", "an object")
        kept: dict[str, Any] = {}
        for name, inside in value.items():
            known = spell(name)
            where = f"{place}.{name}" if place else name
            if known not in shapes:
                check.remove(where)
            elif known in kept:
                raise not_allowed(f"{where} twice")
            else:
                kept[known] = None if inside is None else shapes[known](inside, where, check)
        for name in required:
            if kept.get(name) is None:
                raise Denied(400, f"{place or 'the request'} needs {name!r}", "invalid_request")
        return kept

    return check_fields


def fields(*required: str, **shapes: Shape) -> Shape:
    """As `spelled_fields`, for a protocol that accepts one spelling of each field."""
    return spelled_fields(str, *required, **shapes)


def list_of(shape: Shape) -> Shape:
    def check_list(value: Any, place: str, check: RequestCheck) -> Any:
        if not isinstance(value, list):
            raise wrong_type(place, "a list")
        return [shape(part, f"{place}[{n}]", check) for n, part in enumerate(value)]

    return check_list


def text_or(shape: Shape) -> Shape:
    """A text, or a value of the given shape."""

    def check_either(value: Any, place: str, check: RequestCheck) -> Any:
        return value if isinstance(value, str) else shape(value, place, check)

    return check_either


def object_or(shape: Shape, other: Shape) -> Shape:
    """An object of one shape, or a value of the other shape."""

    def check_object(value: Any, place: str, check: RequestCheck) -> Any:
        return (shape if isinstance(value, dict) else other)(value, place, check)

    return check_object


def by_kind(default: str | None = None, hint: str = "", /, **kinds: Shape) -> Shape:
    """An object whose `type` decides its shape; other types are refused.

    Args:
        default: the type of an object without one.
        hint: the end of the message for other types.
    """

    def check_kind(value: Any, place: str, check: RequestCheck) -> Any:
        kind = value.get("type", default) if isinstance(value, dict) else None
        if not isinstance(kind, str) or kind not in kinds:
            raise not_allowed(f"{place}.type {kind!r}{hint}")
        return kinds[kind](value, place, check)

    return check_kind


def inline_image(pattern: re.Pattern[str], expected: str) -> Shape:
    """The text of an image inside the request; the provider would fetch any other."""

    def check_image(value: Any, place: str, check: RequestCheck) -> Any:
        if not isinstance(value, str) or not pattern.fullmatch(value):
            raise not_allowed(f"{place}; images must be inline, as {expected}")
        check.images.append(value)
        return value

    return check_image


image_address = inline_image(DATA_URL, "data:image/…;base64,…")
image_data = inline_image(BASE64, "base64")


def image_type(value: Any, place: str, check: RequestCheck) -> Any:
    if not isinstance(value, str) or not IMAGE_TYPE.fullmatch(value):
        raise not_allowed(f"{place} {value!r}; only images may be inline")
    return value


def read_object(text: bytes | bytearray | str) -> dict[str, Any]:
    """Parse a JSON object of limited depth without NaN.

    Raises:
        ValueError: the text is something else; the message completes "it is …".
    """
    try:
        data = json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise ValueError("not valid JSON") from None
    if not isinstance(data, dict):
        raise ValueError("not a JSON object")
    level: list[Any] = [data]
    for _ in range(MAX_DEPTH):
        level = [part for parent in level for part in _parts(parent)]
        if not level:
            return data
    raise ValueError("nested too deeply")


def _parts(value: Any) -> list[Any]:
    inside = value.values() if isinstance(value, dict) else value
    return [part for part in inside if isinstance(part, dict | list)]


def _no_constant(name: str) -> Any:
    raise ValueError(name)


def objects_in(value: Any) -> list[dict[str, Any]]:
    """The objects of a list; empty if the value is not a list."""
    return [part for part in value if isinstance(part, dict)] if isinstance(value, list) else []
