"""The building blocks of the rules: a shape checks a value and returns the permitted part of it.

Everything that an agent sends passes through a shape, so a field without a shape never reaches the
provider, at any depth.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

MAX_DEPTH = 100
MAX_REMOVED = 100
INDEX = re.compile(r"\[\d+\]")
INLINE_IMAGE = re.compile(r"data:image/[\w.+-]{1,40};base64,[A-Za-z0-9+/\s]*={0,2}\s*")
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
            vector_store_ids cached_content url
            image_url video_url source"""
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


def text(value: Any, place: str, check: RequestCheck) -> Any:
    if not isinstance(value, str):
        raise wrong_type(place, "a text")
    return value


def number(value: Any, place: str, check: RequestCheck) -> Any:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise wrong_type(place, "a number")
    return value


def flag(value: Any, place: str, check: RequestCheck) -> Any:
    if not isinstance(value, bool):
        raise wrong_type(place, "true or false")
    return value


def anything(value: Any, place: str, check: RequestCheck) -> Any:
    """For schemas and arguments of an agent's own tools, which the provider only shows a model."""
    return value


def json_object(value: Any, place: str, check: RequestCheck) -> Any:
    """As `anything`, but an object."""
    if not isinstance(value, dict):
        raise wrong_type(place, "an object")
    return value


def dropped(value: Any, place: str, check: RequestCheck) -> Any:
    """A field that clients send and no provider needs."""
    check.remove(place)


def empty(value: Any, place: str, check: RequestCheck) -> Any:
    """Part of an earlier answer, which refers to what the provider looked up."""
    if value:
        raise not_allowed(f"{place} that is not empty")
    return value


def one_of(*allowed: Any) -> Shape:
    def check_choice(value: Any, place: str, check: RequestCheck) -> Any:
        if not isinstance(value, str) or value not in allowed:
            raise not_allowed(f"{place} {value!r}; known are {', '.join(map(str, allowed))}")
        return value

    return check_choice


def fields(
    shapes: Mapping[str, Shape],
    *,
    required: tuple[str, ...] = (),
    spell: Callable[[str], str] = str,
) -> Shape:
    """An object with listed fields; null values are left as they are.

    Args:
        spell: the usual spelling of a field, where a protocol accepts several.
    """

    def check_fields(value: Any, place: str, check: RequestCheck) -> Any:
        if not isinstance(value, dict):
            raise wrong_type(place or "the request", "an object")
        kept: dict[str, Any] = {}
        for name, inside in value.items():
            known = spell(name)
            where = f"{place}.{name}" if place else name
            shape = shapes.get(known)
            if shape is None or shape is dropped:
                check.remove(where)
            elif known in kept:
                raise not_allowed(f"{where} twice")
            else:
                kept[known] = None if inside is None else shape(inside, where, check)
        for name in required:
            if kept.get(name) is None:
                raise Denied(400, f"{place or 'the request'} needs {name!r}", "invalid_request")
        return kept

    return check_fields


def list_of(shape: Shape) -> Shape:
    def check_list(value: Any, place: str, check: RequestCheck) -> Any:
        if not isinstance(value, list):
            raise Denied(400, f"{place[:200]} must be a list", "invalid_request")
        return [shape(part, f"{place}[{n}]", check) for n, part in enumerate(value)]

    return check_list


def text_or(shape: Shape) -> Shape:
    """A text, or a value of the given shape."""

    def check_either(value: Any, place: str, check: RequestCheck) -> Any:
        return value if isinstance(value, str) else shape(value, place, check)

    return check_either


def by_kind(kinds: Mapping[str, Shape], *, default: str | None = None, hint: str = "") -> Shape:
    """An object whose `type` decides its shape; other types are refused."""

    def check_kind(value: Any, place: str, check: RequestCheck) -> Any:
        kind = value.get("type", default) if isinstance(value, dict) else None
        if not isinstance(kind, str) or kind not in kinds:
            raise not_allowed(f"{place}.type {kind!r}{hint}")
        return kinds[kind](value, place, check)

    return check_kind


def image_address(value: Any, place: str, check: RequestCheck) -> Any:
    """An image as data: URL; the provider would fetch any other address."""
    if not isinstance(value, str) or not INLINE_IMAGE.fullmatch(value):
        raise not_allowed(f"{place}; images must be inline, as data:image/…;base64,…")
    check.images.append(value)
    return value


def image_data(value: Any, place: str, check: RequestCheck) -> Any:
    """The bytes of an image in base64."""
    if not isinstance(value, str) or not BASE64.fullmatch(value):
        raise not_allowed(f"{place}; images must be inline, as base64")
    check.images.append(value)
    return value


def image_type(value: Any, place: str, check: RequestCheck) -> Any:
    if not isinstance(value, str) or not IMAGE_TYPE.fullmatch(value):
        raise not_allowed(f"{place} {value!r}; only images may be inline")
    return value


def read_object(text: bytes | bytearray | str) -> dict[str, Any]:
    """Parse a JSON object of limited depth without NaN.

    Raises:
        ValueError: the text is something else, which the message names.
    """
    try:
        data = json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise ValueError("no valid JSON") from None
    if not isinstance(data, dict):
        raise ValueError("no JSON object")
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
