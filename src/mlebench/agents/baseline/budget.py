"""How much is tried: decided from sizes and the time limit alone, never from measured time.

A busy and a quiet machine thus do the same work and write the same submission. The clock stops
training only on machines that are slower than the estimates by more than the margin.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass

from .files import Found

MARGIN = 5
"""The limit divided by the time that the plan should take on one quiet processor."""

START = 1.0
"""Seconds for importing libraries and reading tables."""

SHARE_FOR_TRAINING = 0.9
"""The share of the limit after which training stops; the rest is for starting and stopping."""

SECONDS_PER_FILE = 5e-4
SECONDS_PER_BYTE = 3e-8
LEAST_FILES = 256
"""This many files are read even if the budget is spent."""


def planned_seconds(limit: float) -> float:
    """The estimated time that a plan may take; limits are rounded down to 1, 2, 5, 10, 20, 50 …."""
    if limit < 1:
        return 0.0
    power = 10.0 ** math.floor(math.log10(limit))
    coarse = max(step * power for step in (1, 2, 5) if step * power <= limit)
    return max(0.0, coarse / MARGIN - START)


class Budget:
    """Estimated seconds that may still be spent, and the deadline.

    Args:
        limit: seconds for everything.
        started: when they began, by `time.monotonic()`.
    """

    def __init__(self, limit: float, started: float) -> None:
        self.left = planned_seconds(limit)
        self.until = started + limit * SHARE_FOR_TRAINING

    @property
    def is_late(self) -> bool:
        """Whether training has to stop."""
        return time.monotonic() > self.until

    def take(self, cost: float) -> bool:
        """Spend an estimated cost; false if less than that is left."""
        if cost > self.left:
            return False
        self.left -= cost
        return True

    def take_files(self, files: Sequence[Found | None], share: float) -> int:
        """How many of the first files can be read within a share of what is left."""
        allowed = self.left * share
        spent = 0.0
        for count, file in enumerate(files):
            cost = SECONDS_PER_FILE + file.size * SECONDS_PER_BYTE if file else 0.0
            if spent + cost > allowed and count >= LEAST_FILES:
                break
            spent += cost
        else:
            count = len(files)
        self.left = max(0.0, self.left - spent)
        return count


@dataclass(frozen=True)
class Sizes:
    """What the time of a fit depends on; a numeric target counts as one class."""

    rows: int
    columns: int
    classes: int
    letters: int
    """In the text columns of the training rows."""

    test_rows: int

    @property
    def cells(self) -> int:
        return self.rows * self.columns


# Seconds of one fit and its prediction, measured on tables of 270 to 20,000 rows on one processor.
# The coefficients are constants, so that every machine makes the same plan.


def bayes_cost(sizes: Sizes) -> float:
    return 0.01 + 1.5e-7 * sizes.cells + 2e-6 * sizes.letters


def logistic_cost(sizes: Sizes) -> float:
    text = (1e-6 + 2e-7 * sizes.classes) * sizes.letters
    return 0.015 + 3e-8 * sizes.cells * sizes.classes + text


def ridge_cost(sizes: Sizes) -> float:
    return 0.015 + 8e-8 * sizes.cells + 2e-10 * sizes.cells * sizes.columns + 2e-6 * sizes.letters


def trees_cost(sizes: Sizes) -> float:
    """Classifiers examine some columns for each split, regressors all."""
    looked_at = 0.12 * sizes.columns if sizes.classes < 2 else 0.2 * math.sqrt(sizes.columns)
    return 150 * (1e-3 + 1e-6 * sizes.rows * looked_at) + 2e-6 * sizes.letters


def kernel_cost(sizes: Sizes) -> float:
    pairs = 4e-9 * sizes.rows + 1e-9 * sizes.test_rows
    return 0.03 + pairs * sizes.cells + pairs * sizes.letters


def boosting_cost(sizes: Sizes) -> float:
    """One tree per class in each of 150 to 200 rounds; a single one for two classes."""
    trees = 175 * (sizes.classes if sizes.classes > 2 else 1)
    leaves = min(31, 1 + sizes.rows // 20)
    tree = 3e-4 + 1.5e-6 * leaves * sizes.columns + 8e-9 * sizes.cells
    return trees * tree + 2e-6 * sizes.letters
