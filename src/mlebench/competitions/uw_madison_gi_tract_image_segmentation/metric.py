"""Dice of every mask, and the distance between volumes: the slices of a day with all organs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from mlebench.formats.run_lengths import MaskTexts
from mlebench.metrics import higher_is_better
from mlebench.metrics.masks import PredictedMasks, TrueMasks, mean_dice_of_marked
from mlebench.metrics.threads import fill_blocks
from mlebench.native import FLOAT, FLOATS, INTS, SIZE, kernel

DICE_WEIGHT = 0.4
FAR_TOO_MUCH = 10.0
"""Times the true voxels; a prediction of more counts as infinitely wrong."""

NOTHING_MARKED = -1.0
LOOKS_PER_VOXEL = 4
"""How long the quick way to a distance may search before the steady one takes over."""

BLOCK = 16
"""Volumes that a processor takes at a time."""

_volume_distances = kernel("volume_distances", SIZE, *[INTS] * 10, FLOAT, SIZE, FLOATS)


@dataclass(frozen=True)
class Stack:
    """How masks are stacked to volumes."""

    order: Any
    """The rows, volume after volume."""

    slices: Any
    """Which slice of its volume each row in this order belongs to."""

    first_row: Any
    """Where each volume begins in this order, and at the end how many rows there are."""

    shapes: Any
    """Slices, height and width of each volume."""

    def scans(self, masks: MaskTexts) -> Scans:
        """The masks of all rows, stacked."""
        return Scans(masks.in_order(self.order), self)


@dataclass(frozen=True)
class Scans:
    """The masks of all slices, volume after volume."""

    masks: MaskTexts
    """In the order of the stack."""

    stack: Stack

    def __len__(self) -> int:
        return len(self.stack.shapes)

    def volumes(self, first: int, last: int) -> tuple[Any, ...]:
        """What tells of some volumes."""
        places = self.stack.first_row[first : last + 1], self.stack.shapes[first:last]
        return self.masks.begins, self.masks.lengths, self.stack.slices, *places


@higher_is_better
def dice_and_distance(
    y_true: tuple[TrueMasks, Scans], y_pred: tuple[PredictedMasks, Scans]
) -> float:
    """0.4 · mean Dice + 0.6 · (1 − mean distance), leaving out what is empty on both sides."""
    dice = mean_dice_of_marked(y_true[0], y_pred[0])
    distance = mean_distance(y_true[1], y_pred[1])
    return DICE_WEIGHT * dice + (1 - DICE_WEIGHT) * (1 - distance)


def mean_distance(true: Scans, predicted: Scans) -> float:
    """Volumes are paired by position; 1 where just one is empty or far too much is marked."""
    farthest = distances(true, predicted)
    farthest = farthest[farthest != NOTHING_MARKED]
    shares = np.where(np.isinf(farthest), 1, farthest / np.sqrt(3))
    return float(shares.mean()) if len(shares) else float("nan")


def distances(true: Scans, predicted: Scans) -> Any:
    """The farthest that a voxel of one volume lies from the other, in shares of the true shape."""
    count = min(len(true), len(predicted))
    found = np.empty(count)

    def of_block(first: int) -> None:
        last = min(first + BLOCK, count)
        sides = *true.volumes(first, last), *predicted.volumes(first, last)
        looks = LOOKS_PER_VOXEL
        if _volume_distances(last - first, *sides, FAR_TOO_MUCH, looks, found[first:last]):
            raise MemoryError

    fill_blocks(of_block, range(0, count, BLOCK))
    return found
