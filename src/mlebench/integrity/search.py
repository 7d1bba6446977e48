"""Search for many words in large texts, also where they are split, reversed or encoded.

Every word has an anchor of four bytes. numpy looks all windows of a text up in a table of anchors,
so that the time does not depend on the number of words; only hits are compared.
"""

from __future__ import annotations

import base64
import codecs
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from mlebench.integrity.conversation import Kind
from mlebench.integrity.evidence import Passage

Way = Literal["plain", "split", "base64", "hexadecimal", "reversed", "rot13"]
AGENT: frozenset[Kind] = frozenset(("code", "executed", "model", "output"))
"""Everything that the agent wrote or printed."""

PROGRAM: frozenset[Kind] = frozenset(("code", "executed"))
ANCHOR = 4
TABLE_BITS = 20
MULTIPLIER = np.uint32(2654435761)
WINDOW = 400
"""Bytes around a word in which the confirming expression must match."""

WIDE = 4000
"""Bytes that one search covers in a text where a word occurs very often."""

MAX_HITS = 12
MAX_PLACES = 4000
"""Places of one anchor in one passage; more mean that the text was flooded."""

KEPT = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:*-"
DROPPED = bytes(set(range(256)) - set(KEPT))
BARE = KEPT[:62]
NOT_BARE = bytes(set(range(256)) - set(BARE))
MIN_SPLIT, MIN_BARE = 8, 12
PIECED = re.compile(rb"""[\w]+(?:[\w\s+,/()\[\].\\-]*["'][\w\s+,/()\[\].\\"'-]*)[\w]+""")
"""Quoted pieces of a word, with only the code between them that joins them."""

COMMON = b"etaoinshrdlucm \n.0123456789"


@dataclass(frozen=True)
class Pattern:
    """Words whose occurrence is evidence for a check."""

    check: str
    name: str
    words: tuple[str, ...]
    """At least four characters each, in lower case."""

    confirm: str | None = None
    """An expression that must match around the word, at most 400 bytes away."""

    kinds: frozenset[Kind] = AGENT
    is_disguised: bool = False
    """Whether to look for split, reversed and encoded words, too; they need eight characters."""


@dataclass(frozen=True)
class Hit:
    """A place where a pattern occurs."""

    pattern: Pattern
    passage: Passage
    start: int
    stop: int
    way: Way = "plain"


@dataclass(frozen=True)
class _Literal:
    text: bytes
    """In lower case."""

    exact: bytes | None
    """With its case, if that matters."""

    place: int
    """Of the anchor in the text."""

    pattern: int
    way: Way


class WordSearch:
    """A set of patterns; searches passages of any size."""

    def __init__(self, patterns: Iterable[Pattern]) -> None:
        self.patterns = tuple(patterns)
        self._confirm = [
            re.compile(p.confirm.encode(), re.IGNORECASE) if p.confirm else None
            for p in self.patterns
        ]
        words = [(n, word.encode()) for n, p in enumerate(self.patterns) for word in p.words]
        disguised = [(n, word) for n, word in words if self.patterns[n].is_disguised]
        self._plain = LiteralTable(_literal(word, n, "plain") for n, word in words)
        self._split = LiteralTable(
            literal
            for n, word in disguised
            if len(squeezed := word.translate(None, DROPPED)) >= MIN_SPLIT
            for literal in _encoded(squeezed, n)
        )
        # The letters and digits of long words, such as canaries, also between any other signs.
        self._bare = LiteralTable(
            _literal(bare, n, "plain")
            for n, word in disguised
            if len(bare := word.translate(None, NOT_BARE)) >= MIN_BARE
        )

    def find(self, passages: Iterable[Passage]) -> list[Hit]:
        """The first hits of each pattern, in the order of the passages."""
        found: list[Hit] = []
        counts: Counter[tuple[int, Kind]] = Counter()
        for passage in passages:
            for number, hit in self._in_passage(passage):
                if counts[number, passage.kind] < MAX_HITS:
                    counts[number, passage.kind] += 1
                    found.append(hit)
        return found

    def _in_passage(self, passage: Passage) -> Iterator[tuple[int, Hit]]:
        text = passage.text
        seen: set[tuple[int, int]] = set()
        searched: dict[int, int] = {}
        for literal, start, stop in self._plain.find(text):
            number = literal.pattern
            if passage.kind not in self.patterns[number].kinds or (number, start) in seen:
                continue
            if (confirm := self._confirm[number]) is not None:
                if start < searched.get(number, 0):
                    continue
                where = max(0, start - WINDOW)
                match = confirm.search(text[where : stop + WIDE])
                searched[number] = where + match.end() if match else stop + WIDE - WINDOW
                if match is None:
                    continue
                start, stop = where + match.start(), where + match.end()
            seen.add((number, start))
            yield number, Hit(self.patterns[number], passage, start, stop, literal.way)
        yield from self._squeezed(passage, self._split, KEPT)
        yield from self._squeezed(passage, self._bare, BARE)

    def _squeezed(
        self, passage: Passage, table: LiteralTable, kept: bytes
    ) -> Iterator[tuple[int, Hit]]:
        """Words whose letters are separated by other characters."""
        text = passage.text
        if table.is_empty:
            return
        squeezed = text.translate(None, NOT_BARE if kept is BARE else DROPPED)
        places: NDArray[np.intp] | None = None
        for literal, start, stop in table.find(squeezed):
            number = literal.pattern
            pattern = self.patterns[number]
            if passage.kind not in pattern.kinds:
                continue
            is_path = kept is BARE and not pattern.words[0].isalnum()
            if is_path and passage.kind not in PROGRAM:
                continue
            if places is None:
                is_kept = np.isin(np.arange(256), list(kept))
                places = np.flatnonzero(is_kept[np.frombuffer(text, np.uint8)])
            first, last = int(places[start]), int(places[stop - 1]) + 1
            if last - first == stop - start and literal.way == "plain":
                continue  # found by the search for plain words
            if is_path and not PIECED.fullmatch(text, first, last):
                continue  # words of a name or a sentence, not pieces of a text
            if last - first > 20 * (stop - start):
                continue  # letters of a long text that happen to follow each other
            way: Way = "split" if literal.way == "plain" else literal.way
            yield number, Hit(pattern, passage, first, last, way)


def _encoded(word: bytes, number: int) -> Iterator[_Literal]:
    """The word itself, and in the usual encodings."""
    yield _literal(word, number, "plain")
    yield _literal(word[::-1], number, "reversed")
    yield _literal(codecs.encode(word.decode(), "rot13").encode(), number, "rot13")
    yield _literal(word.hex().encode(), number, "hexadecimal")
    if len(word) < 10:
        return
    for shift in range(3):
        code = base64.b64encode(bytes(shift) + word)
        # The characters that depend on this word alone.
        start, stop = -(-shift * 8 // 6), (shift + len(word)) * 8 // 6
        core = code[start:stop]
        yield _literal(core.lower(), number, "base64", exact=core)


def _literal(text: bytes, number: int, way: Way, exact: bytes | None = None) -> _Literal:
    """A literal, with the anchor that is rarest in ordinary texts."""
    places = range(len(text) - ANCHOR + 1)
    place = min(places, key=lambda k: sum(c in COMMON for c in text[k : k + ANCHOR]))
    return _Literal(text, exact, place, number, way)


def exact_literal(text: bytes) -> _Literal:
    """A literal whose case matters."""
    return _literal(text.lower(), 0, "plain", exact=text)


class LiteralTable:
    """Literals by their anchors."""

    def __init__(self, literals: Iterable[_Literal]) -> None:
        self._by_anchor: dict[bytes, list[_Literal]] = defaultdict(list)
        for literal in literals:
            anchor = literal.text[literal.place : literal.place + ANCHOR]
            self._by_anchor[anchor].append(literal)
        self._anchors = np.unique(np.frombuffer(b"".join(self._by_anchor), "<u4"))
        self._known = np.zeros(1 << TABLE_BITS, bool)
        self._known[_slots(self._anchors)] = True

    @property
    def is_empty(self) -> bool:
        return not self._by_anchor

    def find(self, text: bytes) -> Iterator[tuple[_Literal, int, int]]:
        """Each literal and the bytes where it occurs, in the order of the text."""
        if self.is_empty or len(text) < ANCHOR:
            return
        lower = text.lower()
        for place in self._places(lower).tolist():
            for literal in self._by_anchor[lower[place : place + ANCHOR]]:
                start = place - literal.place
                if start < 0 or not lower.startswith(literal.text, start):
                    continue
                if literal.exact is None or text.startswith(literal.exact, start):
                    yield literal, start, start + len(literal.text)

    def _places(self, lower: bytes) -> NDArray[np.int64]:
        """Where anchors are, in order; only the first places of one that occurs very often."""
        places, found = [], []
        for shift in range(min(ANCHOR, len(lower) - ANCHOR + 1)):
            words = np.frombuffer(lower, "<u4", (len(lower) - shift) // ANCHOR, shift)
            likely = np.flatnonzero(self._known[_slots(words)])
            places.append(likely * ANCHOR + shift)
            found.append(words[likely])
        where, words = np.concatenate(places), np.concatenate(found)
        known = np.isin(words, self._anchors)
        where, words = where[known], words[known]
        order = np.lexsort((where, words))
        where, words = where[order], words[order]
        first = np.searchsorted(words, words)
        return np.sort(where[np.arange(len(words)) - first < MAX_PLACES])


def _slots(words: NDArray[np.uint32]) -> NDArray[np.uint32]:
    slots: NDArray[np.uint32] = (words * MULTIPLIER) >> np.uint32(32 - TABLE_BITS)
    return slots
