"""Dice of every mask, and the distance between volumes: the slices of a day with all organs."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from mlebench.metrics import higher_is_better
from mlebench.metrics.masks import (
    Masks,
    common_areas,
    hausdorff_distance,
    mean_dice_of_marked,
    sums_before,
)

DICE_WEIGHT = 0.4
FAR_TOO_MUCH = 10
"""Times the true voxels; a prediction of more counts as infinitely wrong."""


@dataclass(frozen=True)
class Scans:
    """Masks one by one, and joined and stacked to volumes."""

    rows: Masks
    slices: Masks
    """The masks of a slice joined, volume after volume."""

    shapes: Any
    """Slices, height and width of each volume."""

    first_slice: Any
    """Where each volume's slices begin, and at the end how many there are."""

    def points(self, volume: int) -> Any:
        """Slice, row and column of every marked voxel of a volume."""
        first, last = self.first_slice[volume : volume + 2]
        slices, pixels = self.slices.part(first, last).pixels()
        # Pixels are counted down the columns.
        columns, rows = np.divmod(pixels, self.shapes[volume][1])
        return np.stack([slices, rows, columns], axis=1)


def stack(masks: Masks, sizes: Any, *, slices: Any, volumes: Any) -> Scans:
    """Join the masks of each slice, and stack the slices of each volume.

    Args:
        sizes: width and height of each mask; one size within a volume.
        slices, volumes: for each mask the numbers of both, by which they are ordered.
    """
    volume_of_slice = np.zeros(slices.max(initial=-1) + 1, dtype=np.int64)
    volume_of_slice[slices] = volumes
    place = np.empty_like(volume_of_slice)
    place[np.argsort(volume_of_slice, kind="stable")] = np.arange(len(place))
    counts = np.bincount(volume_of_slice)
    shapes = np.empty((len(counts), 3), dtype=np.int64)
    shapes[:, 0] = counts
    shapes[volumes, 1:] = sizes[:, ::-1]
    return Scans(masks, masks.joined(place[slices], len(place)), shapes, sums_before(counts))


@higher_is_better
def dice_and_distance(y_true: Scans, y_pred: Scans) -> float:
    """0.4 · mean Dice + 0.6 · (1 − mean distance), leaving out what is empty on both sides."""
    dice = mean_dice_of_marked([y_true.rows.part(0, len(y_pred.rows))], [y_pred.rows])
    distance = _mean_distance(y_true, y_pred)
    return DICE_WEIGHT * dice + (1 - DICE_WEIGHT) * (1 - distance)


def _mean_distance(true: Scans, predicted: Scans) -> float:
    """Volumes are paired by position; 1 where just one is empty or far too much is marked."""
    count = min(len(true.shapes), len(predicted.shapes))
    true_voxels, predicted_voxels = (
        _by_volume(scans, scans.slices.areas())[:count] for scans in (true, predicted)
    )
    is_lost = (true_voxels == 0) != (predicted_voxels == 0)
    is_lost |= predicted_voxels > FAR_TOO_MUCH * true_voxels
    distances = is_lost.astype(float)
    is_open = ~is_lost & (true_voxels > 0) & ~_is_same(true, predicted, true_voxels)
    for volume in np.flatnonzero(is_open).tolist():
        scale = 1 / true.shapes[volume]
        farthest = hausdorff_distance(true.points(volume), predicted.points(volume), scale)
        distances[volume] = farthest / np.sqrt(3)
    is_counted = (true_voxels > 0) | (predicted_voxels > 0)
    return float(distances[is_counted].mean()) if is_counted.any() else float("nan")


def _by_volume(scans: Scans, of_slices: Any) -> Any:
    return np.diff(sums_before(of_slices)[scans.first_slice])


def _is_same(true: Scans, predicted: Scans, voxels: Any) -> Any:
    """Which volumes are marked alike, as far as both scans have the same volumes at all."""
    if not np.array_equal(true.shapes, predicted.shapes):
        return np.zeros(len(voxels), dtype=bool)
    common = _by_volume(true, common_areas(true.slices, predicted.slices))
    return (common == voxels) & (_by_volume(predicted, predicted.slices.areas()) == voxels)
