"""Boxes of many rows (pictures, studies, samples), and the pairs of them to compare."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mlebench.metrics.base import Floats

    Ints: TypeAlias = NDArray[np.int64]

PAIRS_AT_ONCE = 1 << 15
"""Pairs of boxes compared at a time: few enough to stay in a processor's cache."""


@dataclass(frozen=True)
class Boxes:
    """Boxes in the order in which the file lists them."""

    rows: Ints
    """The row of each box."""

    labels: Ints
    """The class of each box as a number, the same on both sides."""

    numbers: Floats
    """For each box its confidence, if it has one, then its coordinates and sizes."""

    row_count: int

    def __len__(self) -> int:
        return self.row_count

    def __getitem__(self, order: Ints | slice) -> Boxes:
        """The same boxes, all rows in another order."""
        numbers = np.empty(len(self), np.int64)
        numbers[np.arange(len(self))[order]] = np.arange(len(self))
        return replace(self, rows=numbers[self.rows])

    @property
    def count(self) -> int:
        """The number of boxes."""
        return len(self.labels)

    @property
    def confidences(self) -> Floats:
        return self.numbers[:, 0]

    @property
    def places(self) -> Floats:
        """Coordinates and sizes, for boxes that have a confidence."""
        return self.numbers[:, 1:]


def group_keys(true: Boxes, predicted: Boxes) -> tuple[Ints, Ints]:
    """For each true and each predicted box a number that is the same for equal row and class."""
    import pandas as pd

    if len(true) != len(predicted):
        raise ValueError(f"{len(predicted)} rows are predicted, {len(true)} are true")
    labels, known = pd.factorize(np.concatenate([true.labels, predicted.labels]))
    keys = np.concatenate([true.rows, predicted.rows]) * max(len(known), 1) + labels
    return keys[: true.count], keys[true.count :]


def by_confidence(boxes: Boxes) -> Ints:
    """The boxes by falling confidence; equal ones keep their order, and NaN comes last."""
    return np.argsort(-boxes.confidences, kind="stable")


def positions_in_group(groups: Ints) -> Ints:
    """The position of each within its group, from 1; groups ascend."""
    is_first = np.diff(groups, prepend=-1) != 0
    before: Ints = np.flatnonzero(is_first)[np.cumsum(is_first) - 1]
    return np.arange(1, len(groups) + 1) - before


def pairs_with_equal_keys(keys: Ints, other_keys: Ints) -> Iterator[tuple[Ints, Ints]]:
    """All pairs of positions where both keys are equal, some at a time, sorted by position.

    All pairs of one of the keys come at the same time.
    """
    import pandas as pd

    codes, known = pd.factorize(np.concatenate([keys, other_keys]))
    codes, other_codes = codes[: len(keys)], codes[len(keys) :]
    # Short integers are sorted much faster.
    order = np.argsort(other_codes.astype(np.min_scalar_type(len(known))), kind="stable")
    counts = np.bincount(other_codes, minlength=len(known))
    ends = np.cumsum(counts)
    for positions, others in pairs_in_ranges((ends - counts)[codes], ends[codes]):
        yield positions, order.take(others)


def pairs_in_ranges(begins: Ints, ends: Ints) -> Iterator[tuple[Ints, Ints]]:
    """Each position of the ranges paired with all numbers in its range, some ranges at a time."""
    counts = np.maximum(ends - begins, 0)
    totals = np.concatenate([[0], np.cumsum(counts)])
    cuts = np.searchsorted(totals, np.arange(PAIRS_AT_ONCE, totals[-1], PAIRS_AT_ONCE))
    edges = np.unique(np.concatenate([[0], cuts, [len(counts)]]))
    for first, last in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
        positions = np.repeat(np.arange(first, last), counts[first:last])
        shifts = np.repeat(begins[first:last] - totals[first:last], counts[first:last])
        yield positions, np.arange(totals[first], totals[last]) + shifts


def take_first_free(takers: Ints, targets: Ints, is_taken: NDArray[np.bool_]) -> Ints:
    """Which of these pairs become matches: each taker in turn gets the first target that is free.

    Args:
        takers: equal ones follow each other.
        is_taken: which targets are taken already; updated.
    """
    if not len(targets):
        return np.empty(0, np.int64)
    # Most pairs compete with no other one; only the others must be looked at one by one.
    numbers = targets - targets.min()
    is_alone = np.bincount(numbers)[numbers] == 1
    is_repeat = takers[1:] == takers[:-1]
    is_alone[1:] &= ~is_repeat
    is_alone[:-1] &= ~is_repeat
    is_match = is_alone & ~is_taken[targets]
    others = np.flatnonzero(~is_alone)
    taken = set(targets[others][is_taken[targets[others]]].tolist())
    last = -1
    columns = (column.tolist() for column in (others, takers[others], targets[others]))
    for pair, taker, target in zip(*columns, strict=True):
        if taker != last and target not in taken:
            is_match[pair] = True
            taken.add(target)
            last = taker
    is_taken[targets[is_match]] = True
    return np.flatnonzero(is_match)
