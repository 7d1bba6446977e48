"""How alike two submissions are, beyond what independent models of one task have in common.

Disguised copies keep something that two models never share: the digits of many cells, the order of
all rows, the side of a threshold on which each row is, or an exact blend. What two models share
anyway is measured on the other submissions of the same competition.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
MAX_DIGITS = 12
RELATIVE = 5e-6
"""Cells that agree to five digits are equal, whatever the last digits say."""

FINE = 1e-4
"""Tolerance, as a share of a column's spread, within which two models hardly ever agree."""

COARSE = 5e-3
"""Tolerance beyond which equal cells say nothing."""

RARE = 2
"""Rows that may have the value of an informative cell: 0 and 1 are in many rows."""

MIN_RARE = 8
SHARE_FINE, SHARE_COARSE = 0.2, 0.95
"""Shares of the informative cells that are equal in a copy; some rows may have been changed."""

MIN_LEVELS = 50
"""Different values from which an equal order of all rows needs no comparison with other runs."""

MORE_LEVELS = 1.25
"""A function of a submission has no more values than it, except in rows that were changed."""

MIN_OTHERS = 5
LOW = 0.1
"""Quantile of the other runs: models of the same family resemble each other most."""

CHANCE = 1e-5
MOST_MOVED = 0.02
"""Share of the usual count: two linear models may have a tenth of it without being copies."""

CLOSE = 0.5
"""Share of the usual count below which only models of one family are."""

MIN_ROWS = 30
MOST_BLENDED = 20
"""Submissions that are examined for a blend of two."""

BLEND_TOLERANCE = 1e-5
"""Of the spread; with a larger rounding error, other combinations look like blends."""


@dataclass(frozen=True)
class Sketch:
    """Some rows of a submission, the same ones for every submission of a competition."""

    columns: Mapping[str, Sequence[float | str]]

    @cached_property
    def numbers(self) -> dict[str, Numbers]:
        """The columns that contain only finite numbers."""
        return {
            name: np.asarray(cells, np.float64)
            for name, cells in self.columns.items()
            if all(isinstance(cell, int | float) and math.isfinite(cell) for cell in cells)
        }

    @cached_property
    def units(self) -> dict[str, float]:
        """Half of the last decimal that a column of numbers has."""
        return {name: _half_unit(cells) for name, cells in self.numbers.items()}

    @cached_property
    def levels(self) -> int:
        return max((len(set(cells)) for cells in self.columns.values()), default=0)


@dataclass(frozen=True)
class Resemblance:
    """Why a submission may be a copy of another one."""

    reason: str
    is_sure: bool = True
    """False if two models of an easy task, or of one family, may agree this closely."""


def resemblance(ours: Sketch, theirs: Sketch, usual: Sequence[int] = ()) -> Resemblance | None:
    """How a submission may be a copy of another one; None if nothing suggests it.

    Args:
        usual: how many rows are `misplaced` in submissions of further runs, which shows how alike
            independent ones are.
    """
    if not is_comparable(ours, theirs):
        return None
    equal, informative, is_fine = _equal_cells(ours, theirs)
    share = SHARE_FINE if is_fine else SHARE_COARSE
    if equal >= MIN_RARE and equal >= share * informative:
        return Resemblance(f"{equal} of {informative} cells with rare values are equal")
    if ours.levels > MORE_LEVELS * theirs.levels:
        return None
    moved = misplaced(ours, theirs)
    rows = len(next(iter(ours.columns.values())))
    if moved == 0 and min(ours.levels, theirs.levels) >= MIN_LEVELS:
        return Resemblance(f"the order of all {rows} rows is the same")
    expected = float(np.quantile(usual, LOW)) if len(usual) >= MIN_OTHERS else 0.0
    if moved <= CLOSE * expected and _chance(moved, expected) <= CHANCE:
        return Resemblance(
            f"{moved} of {rows} rows are out of its order or beyond its thresholds; in most other"
            f" runs at least {expected:.0f}",
            is_sure=moved <= MOST_MOVED * expected,
        )
    if moved == 0 and rows >= MIN_ROWS:
        return Resemblance(f"no row of {rows} is out of its order", is_sure=False)
    return None


def is_comparable(ours: Sketch, theirs: Sketch) -> bool:
    if set(ours.columns) != set(theirs.columns) or min(ours.levels, theirs.levels) < 2:
        return False
    return all(len(cells) == len(theirs.columns[name]) for name, cells in ours.columns.items())


def _half_unit(cells: Numbers) -> float:
    for digits in range(MAX_DIGITS):
        if np.array_equal(np.round(cells, digits), cells):
            return 0.5 * 10.0**-digits
    return 0.0


def _equal_cells(ours: Sketch, theirs: Sketch) -> tuple[int, int, bool]:
    """Equal cells, cells that few rows have, and whether they are known to many digits."""
    equal = informative = 0
    is_fine = True
    for name in ours.numbers.keys() & theirs.numbers.keys():
        a, b = ours.numbers[name], theirs.numbers[name]
        unit = max(ours.units[name], theirs.units[name]) * (1 + 1e-6)
        spread = float(np.std(b))
        if unit > COARSE * spread:
            continue
        is_fine = is_fine and unit <= FINE * spread
        near = unit + RELATIVE * np.abs(a)
        ordered = np.sort(b)
        matching = np.searchsorted(ordered, a + near, "right") - np.searchsorted(ordered, a - near)
        own = np.sort(a)
        frequent = np.searchsorted(own, a + near, "right") - np.searchsorted(own, a - near)
        is_rare = (matching <= RARE) & (frequent <= RARE)
        informative += int(is_rare.sum())
        equal += int((is_rare & (np.abs(a - b) <= near)).sum())
    return equal, informative, is_fine


def misplaced(ours: Sketch, theirs: Sketch) -> int:
    """How many rows must change until each column of ours is a rising function of theirs.

    That is 0 for copies that were scaled, shifted, rounded, or cut at a threshold. Of texts, cells
    that differ.
    """
    found = 0
    for name, cells in ours.columns.items():
        if name in ours.numbers and name in theirs.numbers:
            a, b = ours.numbers[name], theirs.numbers[name]
            found += len(a) - _longest_rise(a[np.lexsort((a, b))].tolist())
        else:
            found += sum(x != y for x, y in zip(cells, theirs.columns[name], strict=True))
    return found


def _longest_rise(values: Sequence[float]) -> int:
    """The length of the longest non-decreasing subsequence."""
    ends: list[float] = []
    for value in values:
        place = bisect_right(ends, value)
        ends[place : place + 1] = [value]
    return len(ends)


def _chance(count: int, expected: float) -> float:
    """The probability of a count that is at most this one (Poisson)."""
    from scipy.special import pdtr

    return float(pdtr(count, expected))


def find_blend(ours: Sketch, others: Sequence[Sketch]) -> tuple[int, int] | None:
    """Two submissions of which ours is a weighted mean, up to its last digits."""
    names = sorted(ours.numbers)
    if not names or len(names) != len(ours.columns) or ours.levels < MIN_LEVELS:
        return None
    target = np.concatenate([ours.numbers[name] for name in names])
    spread = float(np.std(target))
    tolerance = 1.5 * max(ours.units.values()) + 1e-9 * spread
    if tolerance > BLEND_TOLERANCE * spread:
        return None
    known = [
        (number, np.concatenate([other.numbers[name] for name in names]))
        for number, other in enumerate(others)
        if is_comparable(ours, other) and set(names) == set(other.numbers)
    ]
    known = [one for one in known if np.std(one[1]) > 0]
    known.sort(key=lambda one: -abs(float(np.corrcoef(target, one[1])[0, 1])))
    for (first, one), (second, two) in combinations(known[:MOST_BLENDED], 2):
        parts = np.column_stack([np.ones_like(one), one, two])
        if np.linalg.matrix_rank(parts) < 3:
            continue
        weights = np.linalg.lstsq(parts, target)[0]
        is_mean = bool((weights[1:] > 0.02).all())
        if is_mean and float(np.abs(parts @ weights - target).max()) <= tolerance:
            return first, second
    return None
