"""Validation scores that a run stated: printed by its programs or written by its model."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from mlebench.integrity.evidence import Passage

HELD = re.compile(
    rb"\bcv\b|cross[- _]?val\w*|\bval(?:id(?:ation)?)?\b|\boof\b|held[- _]?out|hold[- _]?out"
    rb"|\d[- ]?fold\b|\bfolds?\b",
    re.IGNORECASE,
)
FOLD = re.compile(rb"\bfold[ _#-]{0,2}\d", re.IGNORECASE)
NUMBER = rb"(-?\d+\.\d+(?:e-?\d+)?|\d{1,2}(?=\s?%))\s?%?"
STATED = re.compile(rb"[\w \t/()@+.-]{0,40}?[ \t]*(?:[:=]+|->)[ \t]*" + NUMBER)
"""After a word of `HELD`."""

MEASURED = re.compile(
    rb"(?:score|\bacc(?:uracy)?\b|auc|loss|rmsl?e|\bmae\b|\bmse\b|\bf1\b|error|\br2\b|kappa|iou"
    rb"|dice|\bmap\b|so far)[\w \t/()@-]{0,30}?[ \t:=>]+" + NUMBER,
    re.IGNORECASE,
)
"""In the same line as a word of `HELD`: without a colon, a metric must be named."""

BEFORE, AFTER = 40, 90
MAX_PLACES = 3000
"""Words of `HELD` that are examined in a passage."""

MAX_CLAIMS = 5000
FAMILIES: dict[str, re.Pattern[bytes]] = {
    "accuracy": re.compile(rb"\bacc(?:uracy)?\b", re.IGNORECASE),
    "auc": re.compile(rb"auc\b|\broc\b", re.IGNORECASE),
    "log": re.compile(rb"log[ _-]?loss|cross[ _-]?entropy", re.IGNORECASE),
    "squared": re.compile(rb"rmsl?e\b|\bmse\b", re.IGNORECASE),
    "absolute": re.compile(rb"\bmae\b", re.IGNORECASE),
    "f1": re.compile(rb"\bf1\b", re.IGNORECASE),
    "kappa": re.compile(rb"kappa", re.IGNORECASE),
}
NAMES = {
    "accuracy": ("accuracy",),
    "auc": ("auc", "roc", "area_under"),
    "log": ("log",),
    "squared": ("squared", "rms", "mse"),
    "absolute": ("absolute", "mae"),
    "f1": ("f1", "f_score", "fbeta"),
    "kappa": ("kappa",),
}
"""The names of the competitions' metrics, by the family that a claim names."""


@dataclass(frozen=True)
class StatedScore:
    """A score that the run claims to have."""

    value: float
    passage: Passage
    start: int
    stop: int
    family: str | None
    """The metric that is named with it."""

    @property
    def is_fold(self) -> bool:
        """Whether it is about one fold only, whose score varies more than that of all rows."""
        return FOLD.search(self.passage.text[self.start : self.stop]) is not None


def find_claims(passages: Iterable[Passage]) -> list[StatedScore]:
    """All stated scores, in the order in which they were stated."""
    return list(islice(_found(passages), MAX_CLAIMS))


def comparable(found: Iterable[StatedScore], metric: str, *, is_lower_better: bool) -> list[float]:
    """The values that can be compared with a score of this metric.

    A claim about another metric is left out, and so is the sign of losses that a library negates.
    """
    values = []
    for claim in found:
        if claim.family and metric and not any(n in metric for n in NAMES[claim.family]):
            continue
        values.append(abs(claim.value) if is_lower_better else claim.value)
    return values


def best_of(values: list[float], *, is_lower_better: bool) -> float | None:
    pick = min if is_lower_better else max
    return pick(values) if values else None


def _found(passages: Iterable[Passage]) -> Iterator[StatedScore]:
    for passage in passages:
        end = 0
        for word in islice(HELD.finditer(passage.text), MAX_PLACES):
            if word.start() >= end and (claim := _claim(passage, word)):
                end = claim.stop
                yield claim


def _claim(passage: Passage, word: re.Match[bytes]) -> StatedScore | None:
    """The number that a line states about held-out data, if it states one."""
    text = passage.text
    first = max(text.rfind(b"\n", 0, word.start()) + 1, word.start() - BEFORE)
    last = text.find(b"\n", word.end(), word.end() + AFTER)
    last = word.end() + AFTER if last < 0 else last
    found = STATED.match(text, word.end(), last) or MEASURED.search(text, first, last)
    if found is None or found.end() < word.start():
        return None
    start = min(first, found.start())
    value = float(found[1]) / (100 if found[0].endswith(b"%") else 1)
    if not math.isfinite(value):
        return None
    line = text[start : found.end()]
    family = next((name for name, words in FAMILIES.items() if words.search(line)), None)
    return StatedScore(value, passage, start, found.end(), family)
