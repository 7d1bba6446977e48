"""Compare two programs: similarity as Dolos calculates it, containment, ranges of lines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mlebench.integrity.plagiarism.fingerprints import Fingerprints, is_among

if TYPE_CHECKING:
    from numpy.typing import NDArray

MAX_REPEATS = 20
"""Fingerprints that occur more often on both sides are paired in their order."""

MAX_RANGES = 100
GAP_LINES = 2
"""Ranges with at most this many lines between them on both sides are shown as one."""


@dataclass(frozen=True)
class LineRange:
    """Matching lines of two programs, from 1 and inclusive."""

    first: int
    last: int
    other_first: int
    other_last: int


@dataclass(frozen=True)
class Match:
    """How much two programs have in common."""

    similarity: float
    """The share of the fingerprints of both that occur in the other one."""

    containment: float
    """The share of the first one's fingerprints that occur in the second."""

    shared: int
    """Fingerprints of the first one that occur in the second."""

    longest: int
    """The longest run of consecutive fingerprints that occurs in both."""

    ranges: tuple[LineRange, ...] = ()


@dataclass(frozen=True)
class _Run:
    """Consecutive fingerprints that are equal on both sides."""

    start: int
    other: int
    length: int


def compare(one: Fingerprints, other: Fingerprints) -> Match:
    """Compare two programs, from which the template has already been removed."""
    in_other = int(is_among(one.hashes, np.unique(other.hashes)).sum())
    in_one = int(is_among(other.hashes, np.unique(one.hashes)).sum())
    runs = _find_runs(one, other)
    return Match(
        similarity=(in_other + in_one) / max(1, len(one) + len(other)),
        containment=in_other / max(1, len(one)),
        shared=in_other,
        longest=max((run.length for run in runs), default=0),
        ranges=tuple(_merge(_ranges(one, other, runs))),
    )


def _find_runs(one: Fingerprints, other: Fingerprints) -> list[_Run]:
    """The longest runs first; each fingerprint of the first program is part of one run only."""
    pairs = _pairs(one, other)
    if not len(pairs):
        return []
    diagonal = pairs[:, 1] - pairs[:, 0]
    pairs = pairs[np.lexsort((pairs[:, 0], diagonal))]
    breaks = np.flatnonzero(np.any(np.diff(pairs, axis=0) != 1, axis=1)) + 1
    starts = np.concatenate([[0], breaks])
    lengths = np.diff(np.concatenate([starts, [len(pairs)]]))
    taken = np.zeros(len(one), np.bool_)
    found = []
    for place in np.argsort(-lengths, kind="stable"):
        begin, partner = pairs[starts[place]]
        span = slice(begin, begin + lengths[place])
        if not taken[span].all():
            taken[span] = True
            found.append(_Run(int(begin), int(partner), int(lengths[place])))
    return found


def _pairs(one: Fingerprints, other: Fingerprints) -> NDArray[np.int_]:
    """Positions of equal fingerprints in both programs, one pair per row."""
    order = np.argsort(other.hashes, kind="stable")
    ordered = other.hashes[order]
    begin = np.searchsorted(ordered, one.hashes, "left")
    count = np.searchsorted(ordered, one.hashes, "right") - begin
    rank, repeats = _ranks(one.hashes)
    # Of very common ones the first is paired with the first, and so on: all pairs are too many.
    is_common = count * repeats > MAX_REPEATS**2
    usual = np.flatnonzero((count > 0) & ~is_common)
    left = np.repeat(usual, count[usual])
    inner = np.arange(len(left)) - np.repeat(np.cumsum(count[usual]) - count[usual], count[usual])
    right = order[np.repeat(begin[usual], count[usual]) + inner]
    common = np.flatnonzero(is_common & (rank < count))
    more = order[begin[common] + rank[common]]
    return np.column_stack([np.append(left, common), np.append(right, more)])


def _ranks(hashes: NDArray[np.uint64]) -> tuple[NDArray[np.int_], NDArray[np.int_]]:
    """For each hash, how many equal ones precede it, and how many there are."""
    _, back, count = np.unique(hashes, return_inverse=True, return_counts=True)
    order = np.argsort(back, kind="stable")
    rank = np.empty(len(hashes), np.int_)
    rank[order] = np.arange(len(hashes)) - np.repeat(np.cumsum(count) - count, count)
    return rank, count[back]


def _ranges(one: Fingerprints, other: Fingerprints, runs: list[_Run]) -> Iterator[LineRange]:
    for run in runs[: 10 * MAX_RANGES]:
        end, other_end = run.start + run.length - 1, run.other + run.length - 1
        yield LineRange(
            int(one.first[run.start]),
            int(one.last[end]),
            int(other.first[run.other]),
            int(other.last[other_end]),
        )


def _merge(ranges: Iterator[LineRange]) -> list[LineRange]:
    """Join neighbours in the order of the first program; the longest ones are kept."""
    joined: list[LineRange] = []
    for found in sorted(ranges, key=lambda r: (r.first, r.other_first)):
        for place, known in enumerate(joined[-8:], max(0, len(joined) - 8)):
            if _touch(known, found):
                joined[place] = _union(known, found)
                break
        else:
            joined.append(found)
    longest = sorted(joined, key=lambda r: r.first - r.last)[:MAX_RANGES]
    return sorted(longest, key=lambda r: (r.first, r.other_first))


def _touch(one: LineRange, other: LineRange) -> bool:
    return (
        other.first <= one.last + GAP_LINES
        and other.other_first <= one.other_last + GAP_LINES
        and other.other_last >= one.other_first - GAP_LINES
    )


def _union(one: LineRange, other: LineRange) -> LineRange:
    return LineRange(
        min(one.first, other.first),
        max(one.last, other.last),
        min(one.other_first, other.other_first),
        max(one.other_last, other.other_last),
    )
