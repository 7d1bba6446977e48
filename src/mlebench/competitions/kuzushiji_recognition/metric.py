"""Points of characters against boxes: each box takes the first point of its code inside of it."""

from __future__ import annotations

import numpy as np

from mlebench.metrics import higher_is_better
from mlebench.metrics.boxes import Boxes, group_keys, pairs_with_equal_keys, take_first_free


@higher_is_better
def character_f1(y_true: Boxes, y_pred: Boxes) -> float:
    """2·TP / (2·TP + FP + FN) over all pages; a point is inside if it is not on the edge."""
    is_taken = np.zeros(y_pred.count, bool)
    for boxes, points in pairs_with_equal_keys(*group_keys(y_true, y_pred)):
        for axis in (0, 1):
            places, starts = y_pred.numbers[points, axis], y_true.numbers[boxes, axis]
            is_inside = (starts < places) & (places < starts + y_true.numbers[boxes, axis + 2])
            boxes, points = boxes[is_inside], points[is_inside]
        take_first_free(boxes, points, is_taken)
    right = int(is_taken.sum())
    return 2 * right / (y_true.count + y_pred.count) if right else 0.0
