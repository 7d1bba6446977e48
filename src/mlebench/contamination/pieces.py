"""The positions of a server's tokens in a text; tokens inside one character have none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

WORDS = re.compile(r" ?[^\W\d_]+| ?\d+| ?[^\w\s]+|_+|\s+")
AHEAD = 16
"""Characters that tokens may skip: letters outside ASCII can be lost in a server's answer."""


@dataclass(frozen=True)
class Placed:
    """A token with its place in the text, and what the server said about it."""

    start: int
    end: int
    entry: list[Any]


def place_tokens(text: str, entries: Sequence[list[Any]]) -> list[Placed]:
    """The tokens of the text, without marks before it and generated tokens after it."""
    found: list[Placed] = []
    place = 0
    for entry in entries:
        token = str(entry[0])
        if place >= len(text):
            break
        word = token if text.startswith(token, place) else token.strip("\ufffd")
        start = text.find(word, place, place + len(word) + AHEAD) if word else place
        if start < 0:
            # A server may add a space before the first word.
            word = word.lstrip()
            start = place if word and text.startswith(word, place) else -1
        if start >= 0 and (word or found):
            place = start + len(word)
            found.append(Placed(start, place, entry))
    return _closed(found, text)


def _closed(found: list[Placed], text: str) -> list[Placed]:
    """Let the last token include letters at the end that the server lost."""
    rest = text[found[-1].end :] if found else ""
    if rest and len(rest) <= AHEAD and not rest.isascii():
        found[-1] = Placed(found[-1].start, len(text), found[-1].entry)
    return found


def split_words(text: str) -> list[str]:
    """Words with the space before them, numbers, punctuation: for servers without a tokeniser."""
    return WORDS.findall(text)
