"""The provider's key: removed from the environment, and filtered out of everything written."""

from __future__ import annotations

import base64
import ctypes
import os
import re
from collections.abc import Iterator
from typing import Any

from mlebench.errors import UsageError
from mlebench.gateway.streams import Event

REMOVED = "[removed]"
PUBLIC_PREFIX = re.compile(r"sk-(proj-|svcacct-|ant-api\d\d-|or-v1-)?|gsk_|xai-|AIza|hf_")
END = 8
MIN_BEGINNING = 3
"""A text that ends with this many characters of a form may continue with the rest of it."""


def take_key(variable: str, *, is_optional: bool = False) -> str:
    """Read the key and remove it from the environment, so that no child inherits it."""
    key = read_key(variable, is_optional=is_optional)
    if key:
        _wipe(variable)
        os.environ.pop(variable, None)
    return key


def read_key(variable: str, *, is_optional: bool = False) -> str:
    """The key in the environment.

    Raises:
        UsageError: the variable is empty or does not look like a key.
    """
    key = os.environ.get(variable, "").strip()
    if not key:
        if is_optional:
            return ""
        raise UsageError(
            f"the variable {variable} is empty; put the provider's key there or name another one"
            " with --api-key-env"
        )
    if len(key) < END or not key.isprintable() or not key.isascii():
        raise UsageError(
            f"the variable {variable} does not contain a key: expected at least 8 printable ASCII"
            " characters"
        )
    return key


def _wipe(variable: str) -> None:
    """Overwrite the value in place: /proc shows the environment as it was at the start."""
    libc = ctypes.CDLL(None)
    libc.getenv.restype = ctypes.c_void_p
    if address := libc.getenv(variable.encode()):
        ctypes.memset(address, ord("x"), len(ctypes.string_at(address)))


class KeyFilter:
    """Removes the key, its ends, and its base64, hexadecimal and reversed forms from text."""

    def __init__(self, key: str) -> None:
        self.forms = [form.lower() for form in _forms(key)] if key else []
        text = "|".join(map(re.escape, self.forms))
        self.pattern = re.compile(text, re.IGNORECASE) if key else None
        self.longest = max(map(len, self.forms), default=0)
        self._beginnings = {
            form[:size] for form in self.forms for size in range(MIN_BEGINNING, len(form))
        }

    def __call__(self, text: str) -> str:
        return self.pattern.sub(REMOVED, text) if self.pattern and self.is_in(text) else text

    def is_in(self, text: str) -> bool:
        # Looking for each form is ten times faster than one pattern that ignores case.
        low = text.lower()
        return any(form in low for form in self.forms)

    def begins_at_end(self, text: str) -> bool:
        """Whether the text ends with the beginning of one of the forms."""
        low = text[-self.longest :].lower()
        return any(low[-size:] in self._beginnings for size in range(MIN_BEGINNING, len(low) + 1))


class KeyFound(Exception):
    """A stream spells the key over several events."""


class StreamGuard:
    """Holds events back while their text may be the beginning of the key.

    Texts at the same place of consecutive events are parts of one text, however small they are.
    """

    def __init__(self, key_filter: KeyFilter) -> None:
        self._filter = key_filter
        self._ends: dict[tuple[object, ...], str] = {}
        self._held: list[Event] = []

    def pass_on(self, piece: dict[str, Any], event: Event) -> list[Event]:
        """The events that may pass now, in their order.

        Raises:
            KeyFound: this event completes the key; what was held is dropped.
        """
        is_open = False
        place = (piece.get("type"), piece.get("output_index"), piece.get("content_index"))
        for path, text in _texts(piece, place):
            whole = self._ends.get(path, "") + text
            if self._filter.is_in(whole):
                raise KeyFound("the answer spells the key")
            self._ends[path] = whole[-self._filter.longest :]
            is_open = is_open or self._filter.begins_at_end(whole)
        self._held.append(event)
        return [] if is_open else self.release()

    def release(self) -> list[Event]:
        """All held events: after the end of a stream nothing can complete the key."""
        held, self._held = self._held, []
        return held


def _texts(value: Any, path: tuple[object, ...]) -> Iterator[tuple[tuple[object, ...], str]]:
    """Every text inside a value with the place where it is; list members by their `index`."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        for name, inside in value.items():
            yield from _texts(inside, (*path, name))
    elif isinstance(value, list):
        for number, inside in enumerate(value):
            index = inside.get("index", number) if isinstance(inside, dict) else number
            yield from _texts(inside, (*path, str(index)))


def _forms(key: str) -> list[str]:
    """Longest first, so that the whole key is matched before its ends."""
    prefix = PUBLIC_PREFIX.match(key)
    start = prefix.end() if prefix else 0
    ends = {key[start : start + END], key[-END:]}
    found = {key, *ends}
    found |= {text[::-1] for text in found} | {text.encode().hex() for text in (key, *ends)}
    for text in (key, f"Bearer {key}"):
        # Encoded inside a longer text the key may begin at any of three offsets.
        for shift in range(3):
            whole = base64.b64encode(b"\0" * shift + text.encode()).decode()
            found.add(whole[4 if shift else 0 : -4])
    return sorted((form for form in found if len(form) >= END), key=len, reverse=True)
