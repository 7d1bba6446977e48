"""Sorting on all processors, of so many numbers that one would be busy for long.

Numbers become keys, unsigned and in the same order, which are spread into buckets of neighbours;
then every bucket is sorted by itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from mlebench.metrics.threads import fill_blocks, on_blocks
from mlebench.native import BYTES, INTS, SIZE, array_of, kernel

BUCKETS = 256
RUNS = 32
"""Parts into which the buckets are divided for the processors."""

ROWS_AT_ONCE = 1 << 17
SAMPLE = 1 << 12
"""Rows that are looked at to choose the borders of the buckets."""

TOP_BIT = np.uint64(1 << 63)
KEYS = array_of(np.uint64)
PLACES = array_of(np.uint16)

NUMBERS = (SIZE, KEYS, SIZE)
"""How many, the bits of each, whether they are floats."""

_keys_of = kernel("keys_of", *NUMBERS, KEYS, gives=None)
_choose = kernel("choose_buckets", *NUMBERS, BYTES, KEYS, PLACES, INTS, gives=None)
_fill = kernel("fill_buckets", *NUMBERS, PLACES, INTS, KEYS, gives=None)
_sort = kernel("sort_buckets", SIZE, INTS, KEYS)


@dataclass(frozen=True)
class Sorted:
    """Keys in order, of two kinds of rows: first those of the one, then those of the other."""

    keys: Any
    edges: Any
    """Where each bucket begins, those of the first kind before the others; then the end."""

    @property
    def runs(self) -> list[tuple[Any, Any]]:
        """Both kinds in stretches, equally many; no key of a stretch is in another one."""
        step = BUCKETS // RUNS if len(self.keys) > ROWS_AT_ONCE else BUCKETS
        borders = pairwise(range(0, BUCKETS + 1, step))
        return [(self._between(*border), self._between(*border, kind=1)) for border in borders]

    @property
    def kinds(self) -> tuple[Any, Any]:
        return self._between(0, BUCKETS), self._between(0, BUCKETS, kind=1)

    def _between(self, first: int, last: int, kind: int = 0) -> Any:
        return self.keys[self.edges[kind * BUCKETS + first] : self.edges[kind * BUCKETS + last]]


def sorted_keys(numbers: Any, is_second: Callable[[slice], Any] | None = None) -> Sorted:
    """The keys of some numbers, floats or whole; a function may tell which are of another kind."""
    blocks = [slice(k, k + ROWS_AT_ONCE) for k in range(0, len(numbers), ROWS_AT_ONCE)]
    sample = np.sort(keys_of(numbers[:: max(len(numbers) // SAMPLE, 1)]))
    borders = np.full(BUCKETS - 1, TOP_BIT)
    if len(sample):
        borders = sample[np.arange(1, BUCKETS) * len(sample) // BUCKETS]
    buckets = np.empty(len(numbers), np.uint16)

    def choose(rows: slice) -> Any:
        here, counts = _bits(numbers[rows]), np.empty(2 * BUCKETS, np.int64)
        kinds = np.zeros(here[0], np.uint8) if is_second is None else is_second(rows)
        _choose(*here, kinds.view(np.uint8), borders, buckets[rows], counts)
        return counts

    counts = np.array([*on_blocks(choose, blocks)], np.int64).reshape(-1, 2 * BUCKETS)
    # The rows of a block lie behind those of the blocks before, in each bucket.
    edges = np.append(0, np.cumsum(counts.sum(axis=0)))
    places = edges[:-1] + np.cumsum(counts, axis=0) - counts
    keys = np.empty(len(numbers), np.uint64)

    def fill(block: int) -> None:
        rows = blocks[block]
        _fill(*_bits(numbers[rows]), buckets[rows], places[block], keys)

    def sort(first: int) -> None:
        last = min(first + step, 2 * BUCKETS)
        _sort_buckets(edges[first : last + 1], keys)

    step = 2 * BUCKETS // RUNS if len(numbers) > ROWS_AT_ONCE else 2 * BUCKETS
    for work, parts in ((fill, range(len(blocks))), (sort, range(0, 2 * BUCKETS, step))):
        fill_blocks(work, parts)
    return Sorted(keys, edges)


def sorted_groups(values: Any, groups: Any, counts: Any) -> Any:
    """The keys of floats in the order of their groups, numbered from 0, and sorted in each.

    Of every group it is known how many rows it has.
    """
    edges, keys = np.append(0, np.cumsum(counts)), np.empty(len(values), np.uint64)
    blocks = range(0, len(values), ROWS_AT_ONCE)
    if not all(on_blocks(lambda k: _do_not_fall(groups[k : k + ROWS_AT_ONCE + 1]), blocks)):
        values = values[np.argsort(groups, kind="stable")]

    def sort(groups: slice) -> None:
        rows = slice(edges[groups.start], edges[groups.stop])
        keys[rows] = keys_of(values[rows])
        _sort_buckets(edges[groups.start : groups.stop + 1], keys)

    cuts = [*np.unique(np.searchsorted(edges, blocks)), len(counts)]
    fill_blocks(sort, (slice(*cut) for cut in pairwise(cuts)))
    return keys


def _do_not_fall(numbers: Any) -> bool:
    return bool((numbers[1:] >= numbers[:-1]).all())


def _sort_buckets(edges: Any, keys: Any) -> None:
    if _sort(len(edges) - 1, edges, keys) < 0:
        raise MemoryError("no memory for sorting")


def are_unique(numbers: Any) -> bool:
    """Whether no whole number stands twice."""
    firsts = range(0, len(numbers), ROWS_AT_ONCE)
    in_blocks = (numbers[first : first + ROWS_AT_ONCE + 1] for first in firsts)
    if all(on_blocks(_do_rise, in_blocks)):
        return True
    return all(on_blocks(_do_rise, (run for run, _ in sorted_keys(numbers).runs)))


def _do_rise(numbers: Any) -> bool:
    return bool((numbers[1:] > numbers[:-1]).all())


def keys_of(numbers: Any) -> Any:
    """Unsigned numbers in the same order; equal numbers have one key, and so have all gaps."""
    keys = np.empty(len(numbers), np.uint64)
    _keys_of(*_bits(numbers), keys)
    return keys


def _bits(numbers: Any) -> tuple[int, Any, bool]:
    """What a kernel learns of some numbers."""
    are_floats = numbers.dtype.kind == "f"
    if numbers.dtype.kind == "u":
        numbers = numbers.astype(np.uint64) ^ TOP_BIT
    kind = np.float64 if are_floats else np.int64
    plain = np.ascontiguousarray(numbers.astype(kind, copy=False))
    return len(plain), plain.view(np.uint64), are_floats


def floats_of(keys: Any) -> Any:
    """The floats that have these keys."""
    return np.where(keys >= TOP_BIT, keys ^ TOP_BIT, ~keys).view(np.float64)
