"""Quote untrusted text so that it cannot leave its quotation.

A fence is derived from a random nonce, which is drawn after the agent has ended and is recorded
for replays. Every line inside is marked, so that no line of the text can look like a fence.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass

from mlebench.integrity.judge.digest import DigestEntry

MARK = "| "
# All that `str.splitlines` and text editors take for the end of a line.
BREAKS = re.compile("\r\n|[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
# Control and direction characters, which could hide text from people.
HIDDEN = re.compile(
    "[\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069]"
)


@dataclass(frozen=True)
class FencedText:
    """Text inside its fence."""

    fence: str
    text: str
    """With both fences."""

    plain: str
    """What is inside, without marks."""

    def holds(self, quote: str) -> bool:
        """Whether a quote occurs verbatim; marks of quoted lines do not count."""
        found = unmarked(quote)
        return bool(found) and found in self.plain


def unmarked(quote: str) -> str:
    """A quote without the marks that the model may have copied."""
    return re.sub(r"(?m)^\| ?", "", quote).strip()


def make_fence(nonce: str, call: int, text: str) -> str:
    """The fence of a call: 128 bits that the text does not contain."""
    for attempt in range(100):
        digest = hashlib.sha256(f"{nonce}/{call}/{attempt}".encode()).hexdigest()[:32]
        if digest not in text:
            return f"quoted-{digest}"
    raise ValueError("the text contains a hundred fences of this nonce")


def fence_entries(entries: Sequence[DigestEntry], nonce: str, call: int) -> FencedText:
    """Entries of a digest as fenced lines, each with its place."""
    parts = []
    for entry in entries:
        place = f"[offset {entry.offset} of {clean(entry.file)}; {entry.label}]"
        parts += [place.replace("\n", " "), *clean(entry.text).split("\n"), ""]
    return fence_text("\n".join(parts), nonce, call)


def fence_text(text: str, nonce: str, call: int) -> FencedText:
    """Any text inside a fence."""
    plain = clean(text)
    fence = make_fence(nonce, call, plain)
    marked = "\n".join(MARK + line for line in plain.split("\n"))
    return FencedText(fence, f"<<<{fence}\n{marked}\n{fence}>>>", plain)


def clean(text: str) -> str:
    """One kind of line break, nothing invisible."""
    return HIDDEN.sub("\ufffd", BREAKS.sub("\n", text))
