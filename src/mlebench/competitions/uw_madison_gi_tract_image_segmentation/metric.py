"""Dice of every mask, and the distance between volumes: the slices of a day with all organs."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from mlebench.metrics import Measured, higher_is_better
from mlebench.metrics.masks import PredictedMasks, Runs, TrueMasks, dice_of_masks
from mlebench.native import FLOAT, FLOATS, INTS, SIZE, kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints: TypeAlias = NDArray[np.int64]

DICE_WEIGHT = 0.4
FAR_TOO_MUCH = 10.0
"""Times the true voxels; a prediction of more counts as infinitely wrong."""

NOTHING_MARKED = -1.0
NO_MEMORY = -1.0
MOST_LOOKS = 20_000_000
"""How long the search for a distance may take before the distances of all voxels are computed."""

_hausdorff_distance = kernel(
    "hausdorff_distance", INTS, FLOATS, INTS, INTS, INTS, INTS, SIZE, returns=FLOAT
)


@dataclass(frozen=True)
class Scans:
    """The masks of all slices, and how they are stacked into volumes."""

    runs: Runs
    volumes: Ints
    """The volume of each mask."""

    slices: Ints
    """Which slice of its volume each mask belongs to."""

    shapes: Ints
    """Slices, height and width of each volume."""


class Volume(NamedTuple):
    """The marked voxels of a volume."""

    first: Ints
    """The first span of each column, slice after slice; at the end the number of spans."""

    spans: Ints
    """Column, first row and end of each span, column after column; spans may overlap."""

    def count_voxels(self) -> int:
        """How many voxels are marked; what several organs mark counts once."""
        columns, begins, ends = self.spans.T
        shifts = columns * int(ends.max(initial=0))
        begins, ends = begins + shifts, ends + shifts
        covered = np.maximum.accumulate(np.append(0, ends))[:-1]
        return int(np.maximum(ends - np.maximum(begins, covered), 0).sum())


@higher_is_better
def dice_and_distance(
    y_true: tuple[TrueMasks, Scans], y_pred: tuple[PredictedMasks, Scans]
) -> Measured:
    """0.4 · mean Dice + 0.6 · (1 − mean distance), leaving out what is empty on both sides."""
    dice = dice_of_masks(y_true[0], y_pred[0])
    far = distance_of_volumes(y_true[1], y_pred[1])
    means = [mean_of_numbers(values) for values in (dice, far)]
    score = DICE_WEIGHT * means[0] + (1 - DICE_WEIGHT) * (1 - means[1])

    def contributions() -> NDArray[np.float64]:
        volumes = len(far)
        change = np.zeros(volumes)
        sides = (
            (dice, y_true[1].volumes[: len(dice)], DICE_WEIGHT),
            (far, np.arange(volumes), DICE_WEIGHT - 1),
        )
        for (values, own, weight), mean in zip(sides, means, strict=True):
            known = np.flatnonzero(~np.isnan(values) & (own < volumes))
            differences = weight * (values[known] - mean) * volumes / max(len(known), 1)
            change += np.bincount(own[known], differences, volumes)
        return change

    return Measured(score, contributions, unit="volume")


def mean_of_numbers(values: NDArray[np.float64]) -> float:
    """The mean of the values that are numbers; not a number if there are none."""
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else float("nan")


def distance_of_volumes(true: Scans, predicted: Scans) -> NDArray[np.float64]:
    """Volumes are paired by position; 1 where just one is empty or far too much is marked."""
    farthest = distances(true, predicted)
    shares = np.where(np.isinf(farthest), 1, farthest / np.sqrt(3))
    return np.where(farthest == NOTHING_MARKED, np.nan, shares)


def distances(true: Scans, predicted: Scans) -> NDArray[np.float64]:
    """The farthest that a voxel of one volume is from the other, in shares of the true shape."""
    count = min(len(true.shapes), len(predicted.shapes))
    true_shapes = true.shapes[:count]
    shapes = np.maximum(true_shapes, predicted.shapes[:count])
    sides = volumes_of(true, shapes), volumes_of(predicted, shapes), shapes, true_shapes
    return np.array([distance(*pair) for pair in zip(*sides, strict=True)], dtype=float)


def volumes_of(scans: Scans, shapes: Ints) -> list[Volume]:
    """The volumes, each with the slices and columns of its shape."""
    runs = scans.runs
    used = np.flatnonzero((scans.volumes[runs.rows] < len(shapes)) & (runs.starts < runs.ends))
    rows, starts, ends = runs.rows[used], runs.starts[used], runs.ends[used]
    volumes = scans.volumes[rows]
    heights = scans.shapes[volumes, 1]

    # A run goes down the columns, and in each of them it is a span.
    first_column, last_column = starts // heights, (ends - 1) // heights
    counts = last_column + 1 - first_column
    lasts = np.cumsum(counts)
    firsts = lasts - counts
    stops = np.repeat(heights, counts)
    stops[lasts - 1] = ends - last_column * heights
    begins = np.zeros_like(stops)
    begins[firsts] = starts - first_column * heights

    first_of_volume = np.append(0, np.cumsum(shapes[:, 0] * shapes[:, 2]))
    first_column += scans.slices[rows] * shapes[volumes, 2]
    column = np.arange(len(stops)) + np.repeat(first_column - firsts, counts)
    place = column + np.repeat(first_of_volume[volumes], counts)
    order = np.argsort(place * int(heights.max(initial=1)) + begins, kind="stable")
    spans = np.stack([column, begins, stops], axis=1)[order]
    first = np.append(0, np.cumsum(np.bincount(place, minlength=first_of_volume[-1])))
    return [
        Volume(first[begin : end + 1] - first[begin], spans[first[begin] : first[end]])
        for begin, end in pairwise(first_of_volume.tolist())
    ]


def distance(true: Volume, predicted: Volume, shape: Ints, true_shape: Ints) -> float:
    """The Hausdorff distance; infinite where one is empty or far too much is marked."""
    voxels, predicted_voxels = true.count_voxels(), predicted.count_voxels()
    if not voxels and not predicted_voxels:
        return NOTHING_MARKED
    if not voxels or not predicted_voxels or predicted_voxels > FAR_TOO_MUCH * voxels:
        return float("inf")
    axes = [0, 2, 1]
    found = _hausdorff_distance(shape[axes], 1 / true_shape[axes], *true, *predicted, MOST_LOOKS)
    if found == NO_MEMORY:
        raise MemoryError(f"a volume of {' x '.join(map(str, shape))} voxels")
    return float(found)
