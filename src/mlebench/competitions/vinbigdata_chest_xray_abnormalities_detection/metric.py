"""COCO's average precision at one overlap, with the faults of the published grader."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mlebench.metrics import Metric
from mlebench.metrics.boxes import Boxes, group_keys, pairs_with_equal_keys, positions_in_group

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

MAX_DETECTIONS = 100
MAX_AREA = 1e10
EPSILON = float(np.finfo(float).eps)
LEVELS = np.linspace(0, 1, 101)


class Marks(NamedTuple):
    """What becomes of each prediction."""

    is_hit: NDArray[np.bool_]
    is_counted: NDArray[np.bool_]
    """Whether it is a hit or a false alarm; the others are left out."""


def coco_mean_average_precision(iou_from: float) -> Metric:
    """Mean of the average precision over the true classes.

    There is one true box in each row and class. The faults: places `x_min y_min x_max y_max` are
    taken as `x y width height`; a hit on the very first true box is a false alarm; the very first
    prediction does not use up the box it hits.
    """

    def function(y_true: Boxes, y_pred: Boxes) -> float:
        marks = mark(y_true, y_pred, iou_from)
        order = np.lexsort((y_pred.rows, -y_pred.confidences))
        order = order[marks.is_counted[order]]
        labels, is_hit = y_pred.labels[order], marks.is_hit[order]
        truths = zip(*np.unique(y_true.labels, return_counts=True), strict=True)
        values = [average_precision(is_hit[labels == label], count) for label, count in truths]
        return float(np.mean(values))

    return Metric("coco_mean_average_precision", False, function)


def average_precision(is_hit: NDArray[np.bool_], truths: int) -> float:
    """Mean over levels of recall of the best precision from there on; best predictions first."""
    seen = np.flatnonzero(is_hit) + 1
    hits = np.arange(1, len(seen) + 1)
    precisions = hits / (seen + EPSILON)
    best = np.maximum.accumulate(precisions[::-1])[::-1]
    return float(np.append(best, 0)[np.searchsorted(hits / truths, LEVELS)].mean())


def mark(true: Boxes, predicted: Boxes, iou_from: float) -> Marks:
    """Only the first 100 predictions of a row and class count, by falling confidence."""
    true_keys, keys = group_keys(true, predicted)
    order = np.lexsort((-predicted.confidences, keys))
    order = order[positions_in_group(keys[order]) <= MAX_DETECTIONS]
    is_hit, is_counted = np.zeros((2, predicted.count), bool)
    is_counted[order] = _is_counted_area(predicted.places[order])
    is_used = np.zeros(true.count, bool)
    for ranks, targets in pairs_with_equal_keys(keys[order], true_keys):
        is_near = iou(predicted.places[order[ranks]], true.places[targets]) >= iou_from
        for box, target in zip(
            order[ranks[is_near]].tolist(), targets[is_near].tolist(), strict=True
        ):
            if not is_used[target] and target != 0:
                is_hit[box] = is_counted[box] = True
            if box != 0:
                is_used[target] = True
    return Marks(is_hit, is_counted)


def _is_counted_area(places: Floats) -> NDArray[np.bool_]:
    """Whether a false alarm counts, by the area between its corners."""
    area: Floats = (places[:, 2:] - places[:, :2]).prod(axis=1)
    return (area >= 0) & (area <= MAX_AREA)


def iou(places: Floats, others: Floats) -> Floats:
    """Intersection over union of `x y width height`, pair by pair; 0 where they do not meet."""
    ends, other_ends = places[:, :2] + places[:, 2:], others[:, :2] + others[:, 2:]
    sides = np.minimum(ends, other_ends) - np.maximum(places[:, :2], others[:, :2])
    common = sides.prod(axis=1)
    union = places[:, 2:].prod(axis=1) + others[:, 2:].prod(axis=1) - common
    meet = (sides > 0).all(axis=1)
    share: Floats = np.divide(common, union, out=np.zeros(len(union)), where=meet)
    return share
