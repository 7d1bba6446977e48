"""Make bytes and texts of agents safe to display: no control or direction characters."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

MAX_CHARACTERS = 4000
WINDOW = 16 * 1024
"""The number of bytes at either end of a longer line that are read."""

# Colours are kept. All other control characters, lone surrogates, and characters that change the
# direction of text or break lines are escaped.
MARKS = re.compile(
    "(\x1b\\[[0-9;:]{0,64}m)"
    "|[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)
# Anchored, because a search from each character of a long line would take quadratic time.
OVERWRITTEN = re.compile(r"(?m)^[^\n]*\r(?!\n|$)")


@dataclass(frozen=True)
class Shown:
    """A text, and how many bytes of it were left out."""

    text: str
    cut: int = 0

    def as_json(self) -> dict[str, Any]:
        return {"text": self.text, "cut": self.cut} if self.cut else {"text": self.text}


def clean(text: str) -> str:
    """The text with its colours, and escapes such as `\\u202e` for control characters."""
    return MARKS.sub(lambda found: found[1] or f"\\u{ord(found[0]):04x}", text)


def show_line(head: bytes, tail: bytes, length: int) -> Shown:
    """A line of a log, from its first and last bytes; of text before `\\r` nothing is shown."""
    if length <= len(head):
        tail = head
    state = tail.removesuffix(b"\r")
    start = state.rfind(b"\r") + 1
    if start or length <= len(head):
        return cut_text(state[start:])
    shown = cut_text(head)
    return Shown(shown.text, shown.cut + length - len(head))


def cut_text(data: bytes, limit: int = MAX_CHARACTERS) -> Shown:
    """The first characters of some bytes; invalid UTF-8 is replaced."""
    text = data.decode("utf-8", "replace")
    if len(text) <= limit:
        return Shown(clean(text))
    kept = text[:limit]
    return Shown(clean(kept), max(1, len(data) - len(kept.encode("utf-8", "replace"))))


def show_text(text: str, limit: int) -> Shown:
    """The beginning of a text of several lines, such as a message or the output of a tool."""
    left_out = 0
    if len(text) > limit:
        left_out = len(text[limit:].encode("utf-8", "replace"))
        text = text[:limit]
    if "\r" in text:
        text = OVERWRITTEN.sub("", text).replace("\r\n", "\n").removesuffix("\r")
    return Shown(clean(text), left_out)


def clean_all(value: Any) -> Any:
    """A record with `clean` applied to all its texts."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, dict):
        return {clean(str(name)): clean_all(part) for name, part in value.items()}
    return [clean_all(part) for part in value] if isinstance(value, list | tuple) else value


def one_line(text: str, limit: int) -> str:
    """The beginning of a text on one line."""
    words = " ".join(text[: 4 * limit].split())
    return clean(words if len(words) <= limit else f"{words[: limit - 1]}…")
