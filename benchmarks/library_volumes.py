"""The distance between volumes with numpy and scipy alone, for `library_ways.py`."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mlebench.competitions.uw_madison_gi_tract_image_segmentation import metric

DIGITS = 9
"""Equal up to the rounding of the last ones."""


def searched(sides: tuple[Any, Any]) -> NDArray[np.float64]:
    """The distances as they are graded."""
    return np.round(metric.distances(*sides), DIGITS)


def from_trees(sides: tuple[Any, Any]) -> NDArray[np.float64]:
    """The same: the voxels that only one volume has look for the nearest in a tree of the other."""
    shapes = sides[0].shapes
    volumes = (metric.volumes_of(side, shapes) for side in sides)
    pairs = zip(*volumes, shapes, strict=True)
    return np.round([_distance(*pair) for pair in pairs], DIGITS)


def _distance(true: metric.Volume, predicted: metric.Volume, shape: NDArray[np.int64]) -> float:
    drawn = [_draw(side, shape) for side in (true, predicted)]
    voxels, predicted_voxels = (np.count_nonzero(side) for side in drawn)
    if not voxels and not predicted_voxels:
        return metric.NOTHING_MARKED
    if not voxels or not predicted_voxels or predicted_voxels > metric.FAR_TOO_MUCH * voxels:
        return float("inf")
    # Outside of the box around all voxels nothing is to be looked at.
    used = [np.flatnonzero(np.any(drawn, axis=(0, *axes))) for axes in ((2, 3), (1, 3), (1, 2))]
    box = tuple(slice(some[0], some[-1] + 1) for some in used)
    one, other = (side[box] for side in drawn)
    scale = 1 / shape[[0, 2, 1]]
    return max(_farthest(one, other, scale), _farthest(other, one, scale))


def _draw(volume: metric.Volume, shape: NDArray[np.int64]) -> NDArray[np.bool_]:
    """The voxels as an array of slices, columns and rows."""
    slices, height, width = shape.tolist()
    columns, begins, ends = volume.spans.T
    edges = np.zeros((slices * width, height + 1), np.int16)
    np.add.at(edges, (columns, begins), 1)
    np.add.at(edges, (columns, ends), -1)
    return (np.cumsum(edges, axis=1)[:, :-1] > 0).reshape(slices, width, height)


def _farthest(
    voxels: NDArray[np.bool_], others: NDArray[np.bool_], scale: NDArray[np.float64]
) -> float:
    from scipy.spatial import cKDTree

    only_here = np.argwhere(voxels & ~others)
    if not len(only_here):
        return 0.0
    # The nearest voxel is always one on the surface.
    inside = others.copy()
    for axis in range(3):
        for step in (1, -1):
            beside = np.roll(others, step, axis)
            edge = [slice(None)] * 3
            edge[axis] = slice(0, 1) if step == 1 else slice(-1, None)
            beside[tuple(edge)] = False
            inside &= beside
    tree = cKDTree(np.argwhere(others & ~inside) * scale)
    return float(tree.query(only_here * scale)[0].max())
