"""Dice of every mask, and the distance between volumes: the slices of a day with all organs."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from mlebench.grading.run_lengths import MaskTexts
from mlebench.metrics import higher_is_better
from mlebench.metrics.masks import PredictedMasks, TrueMasks, mean_dice_of_marked
from mlebench.metrics.threads import on_blocks
from mlebench.native import FLOAT, FLOATS, INTS, SIZE, kernel

DICE_WEIGHT = 0.4
FAR_TOO_MUCH = 10.0
"""Times the true voxels; a prediction of more counts as infinitely wrong."""

NOTHING_MARKED, NO_MEMORY = -1.0, -2.0
LOOKS_PER_VOXEL = 4
"""How long the quick way to a distance may search before the steady one takes over."""

_SIDE = (SIZE, INTS, INTS, INTS, INTS)
_volume_distance = kernel("volume_distance", *_SIDE, *_SIDE, FLOATS, FLOAT, SIZE, gives=FLOAT)


@dataclass(frozen=True)
class Scans:
    """The masks of all slices, volume after volume."""

    masks: MaskTexts
    slices: Any
    """Which slice of its volume each mask belongs to."""

    first_mask: Any
    """Where each volume's masks begin, and at the end how many there are."""

    shapes: Any
    """Slices, height and width of each volume."""

    def __len__(self) -> int:
        return len(self.shapes)

    def volume(self, number: int) -> tuple[int, Any, Any, Any, Any]:
        """How many masks a volume has; these, their slices, and its shape."""
        rows = slice(*self.first_mask[number : number + 2])
        columns = (self.masks.begins[rows], self.masks.lengths[rows], self.slices[rows])
        return int(rows.stop - rows.start), *columns, self.shapes[number]


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

    def of_volume(number: int) -> float:
        return distance(true, predicted, number)

    distances = np.array(list(on_blocks(of_volume, range(min(len(true), len(predicted))))))
    distances = distances[distances != NOTHING_MARKED]
    return (
        float(np.where(np.isinf(distances), 1, distances / np.sqrt(3)).mean())
        if len(distances)
        else float("nan")
    )


def distance(true: Scans, predicted: Scans, number: int) -> float:
    """The farthest that a voxel of one volume lies from the other, in shares of the true shape."""
    scale = 1 / true.shapes[number]
    most_looks = LOOKS_PER_VOXEL * max(
        int(scans.shapes[number].prod()) for scans in (true, predicted)
    )
    found = _volume_distance(
        *true.volume(number), *predicted.volume(number), scale, FAR_TOO_MUCH, most_looks
    )
    if found == NO_MEMORY:
        raise MemoryError
    return float(found)
