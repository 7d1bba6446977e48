"""PASCAL VOC's average precision of boxes `x_min y_min x_max y_max`, as revision v1.1 grades it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mlebench.metrics.base import Measured, Metric
from mlebench.metrics.boxes import Boxes, by_confidence, group_keys, pairs_with_equal_keys

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mlebench.metrics.base import Floats


def voc_mean_average_precision(iou_above: float) -> Metric:
    """Mean over the true classes of the area under the falling curve of precision by recall.

    By falling confidence each prediction is compared with the true box of its row and class that
    it overlaps most; it hits if the overlap exceeds the threshold and that box was not hit before.
    True boxes that no prediction hits lower the recall. Predictions of equal confidence count
    together, so that the order of rows does not matter.
    """

    def function(y_true: Boxes, y_pred: Boxes) -> Measured:
        is_hit = hits(y_true, y_pred, iou_above)
        curves = []
        for label in np.unique(y_true.labels):
            own, true_rows = y_pred.labels == label, y_true.rows[y_true.labels == label]
            curves.append(Curve(is_hit[own], y_pred.confidences[own], y_pred.rows[own], true_rows))
        score = float(np.mean([_falling_area(curve) for curve in curves]))
        return mean_area(score, curves, len(y_true))

    return Metric("voc_mean_average_precision", False, function)


class Curve(NamedTuple):
    """The predictions of one class, from which its average precision follows."""

    is_hit: NDArray[np.bool_]
    scores: Floats
    rows: NDArray[np.int64]
    true_rows: NDArray[np.int64]
    """The row of each true box."""

    is_falling: bool = True
    """Whether precision is made to fall: the best one from there on counts."""

    def steps(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """The predictions by falling score; for each score its last place there, and the hits."""
        order = np.argsort(-self.scores, kind="stable")
        last_of_score = np.append(np.flatnonzero(np.diff(self.scores[order])), len(order) - 1)
        return order, last_of_score, np.cumsum(self.is_hit[order])[last_of_score]


def mean_area(score: float, curves: Sequence[Curve], rows: int) -> Measured:
    """The mean of the areas under some curves, and what each row contributes to it."""
    return Measured(score, lambda: np.mean([_area_changes(own, rows) for own in curves], axis=0))


def _area_changes(curve: Curve, row_count: int) -> Floats:
    """How the area changes with the weight of each row; matches stay as they are."""
    truths = len(curve.true_rows)
    lost = np.bincount(curve.true_rows, minlength=row_count).astype(float)
    if not len(curve.scores):
        return 0 * lost
    order, last_of_score, found = curve.steps()
    precisions = found / (last_of_score + 1)
    best = np.arange(len(precisions))
    if curve.is_falling:
        backwards = precisions[::-1]
        is_best = backwards == np.maximum.accumulate(backwards)
        best = len(best) - 1 - np.maximum.accumulate(np.where(is_best, best, 0))[::-1]
    gains = np.diff(found, prepend=0) / truths
    area = float(gains @ precisions[best])
    # A prediction changes the precision at its own and all lower scores.
    slopes = gains / (last_of_score + 1)[best]
    later, later_precision = (
        np.cumsum(np.bincount(best, values, len(best))[::-1])[::-1]
        for values in (slopes, slopes * precisions[best])
    )
    place = np.searchsorted(last_of_score, np.arange(len(order)))
    changes = (
        curve.is_hit[order] * (precisions[best] / truths + later)[place] - later_precision[place]
    )
    gained = np.bincount(curve.rows[order], changes, row_count)
    return row_count * (gained - area / truths * lost)


def hits(true: Boxes, predicted: Boxes, iou_above: float) -> NDArray[np.bool_]:
    """Which predictions hit a true box, each of which can be hit once."""
    order = by_confidence(predicted)
    true_keys, keys = group_keys(true, predicted)
    is_hit, is_found = np.zeros(predicted.count, bool), np.zeros(true.count, bool)
    for ranks, targets in pairs_with_equal_keys(keys[order], true_keys):
        overlaps = iou(predicted.places[order[ranks]], true.places[targets])
        largest_first = np.lexsort((-overlaps, ranks))
        best = largest_first[np.flatnonzero(np.diff(ranks[largest_first], prepend=-1))]
        best = best[overlaps[best] > iou_above]
        # The first of several predictions for a box hits it; pairs are sorted by rank.
        first = np.unique(targets[best], return_index=True)[1]
        first = first[~is_found[targets[best[first]]]]
        is_found[targets[best[first]]] = True
        is_hit[order[ranks[best[first]]]] = True
    return is_hit


def _falling_area(curve: Curve) -> float:
    """Sum over the distinct scores, falling, of gain of recall times the best later precision."""
    if not len(curve.scores):
        return 0.0
    _, last_of_score, found = curve.steps()
    best = np.maximum.accumulate((found / (last_of_score + 1))[::-1])[::-1]
    return float((np.diff(found, prepend=0) / len(curve.true_rows) * best).sum())


def iou(places: Floats, others: Floats) -> Floats:
    """Intersection over union, pair by pair; 0 for a box whose corners are inverted."""
    sides = np.minimum(places[:, 2:], others[:, 2:]) - np.maximum(places[:, :2], others[:, :2])
    common = np.maximum(sides, 0).prod(axis=1)
    areas = (np.maximum(side[:, 2:] - side[:, :2], 0).prod(axis=1) for side in (places, others))
    union = sum(areas) - common
    share: Floats = np.divide(common, union, out=np.zeros(len(union)), where=union > 0)
    return share
