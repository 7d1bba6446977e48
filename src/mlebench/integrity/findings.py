"""Findings and their evidence: a place in a file, its hash, a quote that is safe to show."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

from mlebench.records.integrity import (
    MAX_QUOTE,
    EvidenceItem,
    IntegrityFinding,
    Severity,
)
from mlebench.records.reasons import KEYS, REMOVED
from mlebench.results.redaction import visible

if TYPE_CHECKING:
    from mlebench.integrity.evidence import Passage

CONTEXT = 100
"""Bytes quoted before and after the place."""

MAX_ITEMS = 8


def make_quote(text: bytes | str) -> str:
    """At most 300 characters on one line: keys removed, control characters escaped."""
    if isinstance(text, bytes):
        text = text[: 4 * MAX_QUOTE].decode("utf-8", "replace")
    shown = visible(" ".join(KEYS.sub(REMOVED, text).split()))
    return shown if len(shown) <= MAX_QUOTE else f"{shown[: MAX_QUOTE - 1]}…"


def make_item(passage: Passage, start: int = 0, stop: int | None = None) -> EvidenceItem:
    """The evidence for bytes `start` to `stop` of a passage.

    Where the passage was decoded, such as a message of a model, the item names the whole record.
    """
    stop = len(passage.text) if stop is None else stop
    quote = make_quote(passage.text[max(0, start - CONTEXT) : stop + CONTEXT])
    if not passage.is_raw:
        return EvidenceItem(passage.file, passage.offset, passage.length, passage.sha256, quote)
    place = passage.text[start:stop]
    return EvidenceItem(
        file=passage.file,
        offset=passage.offset + start,
        length=len(place),
        sha256=hashlib.sha256(place).hexdigest(),
        quote=quote,
    )


def make_finding(
    check: str,
    severity: Severity,
    title: str,
    evidence: Sequence[EvidenceItem] = (),
    *,
    figure: float | None = None,
    threshold: float | None = None,
    deterministic: bool = True,
) -> IntegrityFinding:
    """A finding with an id that is the same when the check is repeated."""
    if severity == "violation" and not deterministic:
        raise ValueError(f"{check}: only a deterministic finding may be a violation")
    places = [f"{item.file}:{item.offset}:{item.sha256}" for item in evidence[:MAX_ITEMS]]
    digest = hashlib.sha256("\n".join([check, title, *places]).encode("utf-8", "replace"))
    return IntegrityFinding(
        id=f"{check}-{digest.hexdigest()[:8]}",
        check=check,
        severity=severity,
        deterministic=deterministic,
        title=title,
        evidence=tuple(evidence[:MAX_ITEMS]),
        figure=figure,
        threshold=threshold,
    )
