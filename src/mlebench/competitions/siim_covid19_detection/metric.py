"""Average precision of boxes in pictures, where a missed box counts as predicted with score 0."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mlebench.metrics import Measured, Metric
from mlebench.metrics.boxes import (
    Boxes,
    by_confidence,
    group_keys,
    pairs_with_equal_keys,
    take_first_free,
)
from mlebench.metrics.detection import Curve, mean_area

if TYPE_CHECKING:
    from numpy.typing import NDArray


def mean_average_precision(iou_above: float) -> Metric:
    """Mean over the true classes of the average precision, a missed box having the score 0.

    In each row and class the predictions, by falling confidence, take the free true box of the
    largest overlap. A row where a class is neither true nor predicted counts as a false alarm
    of score 0.
    """

    def function(y_true: Boxes, y_pred: Boxes) -> Measured:
        import pandas as pd

        is_hit, is_found = match(y_true, y_pred, iou_above)
        values, curves = [], []
        for label in pd.unique(y_true.labels):
            is_true, is_own = y_true.labels == label, y_pred.labels == label
            missed = y_true.rows[is_true & ~is_found]
            is_named = np.zeros(len(y_true), bool)
            is_named[y_true.rows[is_true]] = is_named[y_pred.rows[is_own]] = True
            absent = np.flatnonzero(~is_named)
            rows = np.concatenate([y_pred.rows[is_own], missed, absent])
            hits = np.concatenate([is_hit[is_own], np.ones(len(missed)), np.zeros(len(absent))])
            scores = np.zeros(len(rows))
            scores[: np.count_nonzero(is_own)] = y_pred.confidences[is_own]
            values.append(average_precision(hits, scores))
            curves.append(Curve(hits > 0, scores, rows, y_true.rows[is_true], is_falling=False))
        return mean_area(float(np.mean(values)), curves, len(y_true))

    return Metric("mean_average_precision", False, function)


def match(
    true: Boxes, predicted: Boxes, iou_above: float
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which predictions hit, and which true boxes are found."""
    order = by_confidence(predicted)
    true_keys, keys = group_keys(true, predicted)
    is_hit, is_found = np.zeros(predicted.count, bool), np.zeros(true.count, bool)
    for ranks, targets in pairs_with_equal_keys(keys[order], true_keys):
        overlaps = iou(predicted.places[order[ranks]], true.places[targets])
        near = np.flatnonzero(overlaps > iou_above)
        near = near[np.lexsort((-overlaps[near], ranks[near]))]
        matches = take_first_free(ranks[near], targets[near], is_found)
        is_hit[order[ranks[near[matches]]]] = True
    return is_hit, is_found


def iou(places: NDArray[np.float64], others: NDArray[np.float64]) -> NDArray[np.float64]:
    """Intersection over union of `x_min y_min x_max y_max`, pair by pair; areas are signed."""
    sides = np.minimum(places[:, 2:], others[:, 2:]) - np.maximum(places[:, :2], others[:, :2])
    common = np.maximum(sides, 0).prod(axis=1)
    union = (places[:, 2:] - places[:, :2]).prod(axis=1)
    union += (others[:, 2:] - others[:, :2]).prod(axis=1) - common
    share: NDArray[np.float64] = np.divide(common, union, out=np.zeros(len(union)), where=union > 0)
    return share


def average_precision(hits: NDArray[np.float64], scores: NDArray[np.float64]) -> float:
    """Sum over the distinct scores, falling, of gain of recall times precision."""
    order = np.argsort(-scores, kind="stable")
    last_of_score = np.append(np.flatnonzero(np.diff(scores[order])), len(scores) - 1)
    found = np.cumsum(hits[order])[last_of_score]
    gains = np.diff(found / found[-1], prepend=0)
    # Added up from the last to the first, as scikit-learn does.
    return float((gains * (found / (last_of_score + 1)))[::-1].sum())
