"""COCO's average precision at one overlap, with the faults of the published grader."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mlebench.metrics import Measured, Metric
from mlebench.metrics.boxes import Boxes, group_keys, pairs_with_equal_keys, positions_in_group
from mlebench.metrics.detection import Curve, mean_area

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

MAX_DETECTIONS = 100
MAX_AREA = 1e10
EPSILON = float(np.finfo(float).eps)
LEVELS = np.linspace(0, 1, 101)


class Marks(NamedTuple):
    """How each prediction counts."""

    is_hit: NDArray[np.bool_]
    is_counted: NDArray[np.bool_]
    """Whether it is a hit or a false alarm; the others are left out."""


def coco_mean_average_precision(iou_from: float) -> Metric:
    """Mean of the average precision over the true classes.

    There is one true box in each row and class. The faults: places `x_min y_min x_max y_max` are
    taken as `x y width height`; a hit on the very first true box is a false alarm; the very first
    prediction does not use up the box it hits.
    """

    def function(y_true: Boxes, y_pred: Boxes) -> Measured:
        marks = mark(y_true, y_pred, iou_from)
        order = np.lexsort((y_pred.rows, -y_pred.confidences))
        order = order[marks.is_counted[order]]
        labels, is_hit = y_pred.labels[order], marks.is_hit[order]
        truths = zip(*np.unique(y_true.labels, return_counts=True), strict=True)
        # Ranks as scores: equal confidences are not counted together.
        ranks, rows = -np.arange(len(order), dtype=float), y_pred.rows[order]
        values, curves = [], []
        for label, count in truths:
            own = labels == label
            values.append(average_precision(is_hit[own], count))
            true_rows = y_true.rows[y_true.labels == label]
            curves.append(Curve(is_hit[own], ranks[own], rows[own], true_rows))
        return mean_area(float(np.mean(values)), curves, len(y_true))

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
    near = [(np.empty(0, np.int64), np.empty(0, np.int64))]
    for ranks, targets in pairs_with_equal_keys(keys[order], true_keys):
        is_near = iou(predicted.places[order[ranks]], true.places[targets]) >= iou_from
        near.append((order[ranks[is_near]], targets[is_near]))
    hits = _hits(*map(np.concatenate, zip(*near, strict=True)))
    is_hit[hits] = is_counted[hits] = True
    return Marks(is_hit, is_counted)


def _hits(boxes: NDArray[np.int64], targets: NDArray[np.int64]) -> NDArray[np.int64]:
    """The predictions that are the first to hit a true box, with the two faults."""
    boxes, targets = boxes[targets > 0], targets[targets > 0]
    users = np.flatnonzero(boxes)
    used, firsts = np.unique(targets[users], return_index=True)
    first_uses = np.full(targets.max(initial=0) + 1, len(boxes))
    first_uses[used] = users[firsts]
    return boxes[np.arange(len(boxes)) <= first_uses[targets]]


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
