"""Points of characters against boxes: each box takes the first point of its code inside of it."""

from __future__ import annotations

import numpy as np

from mlebench.metrics import Measured, higher_is_better, ratio_of
from mlebench.metrics.boxes import Boxes, group_keys, pairs_with_equal_keys, take_first_free


@higher_is_better
def character_f1(y_true: Boxes, y_pred: Boxes) -> Measured:
    """2·TP / (2·TP + FP + FN) over all pages; a point is inside if it is not on the edge."""
    is_taken = np.zeros(y_pred.count, bool)
    corners, sizes = y_true.numbers.T[:2].copy(), y_true.numbers.T[2:]
    axes = list(zip(corners, corners + sizes, y_pred.numbers.T.copy(), strict=True))
    for boxes, points in pairs_with_equal_keys(*group_keys(y_true, y_pred)):
        for starts, ends, places in axes:
            place = places.take(points)
            inside = np.flatnonzero((starts.take(boxes) < place) & (place < ends.take(boxes)))
            boxes, points = boxes.take(inside), points.take(inside)
        take_first_free(boxes, points, is_taken)
    right, count = int(is_taken.sum()), y_true.count + y_pred.count
    hits, points, boxes = (
        np.bincount(rows, minlength=len(y_true))
        for rows in (y_pred.rows[is_taken], y_pred.rows, y_true.rows)
    )
    return ratio_of(2 * hits, points + boxes, 2 * right / count if right else 0.0)
