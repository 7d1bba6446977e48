"""Points of characters against boxes: each box takes the first point of its code inside of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mlebench.metrics import higher_is_better
from mlebench.metrics.boxes import Boxes, group_keys, pairs_with_equal_keys, take_first_free

if TYPE_CHECKING:
    from numpy.typing import NDArray


@higher_is_better
def character_f1(y_true: Boxes, y_pred: Boxes) -> float:
    """2·TP / (2·TP + FP + FN) over all pages; a point is inside if it is not on the edge."""
    is_taken = bytearray(y_pred.count)
    box_keys, point_keys = group_keys(y_true, y_pred)
    for boxes, points in pairs_with_equal_keys(box_keys, point_keys):
        inside = is_inside(y_pred.numbers[points], y_true.numbers[boxes])
        take_first_free(boxes[inside], points[inside], is_taken)
    right = sum(is_taken)
    return 2 * right / (y_true.count + y_pred.count) if right else 0.0


def is_inside(points: NDArray[np.float64], boxes: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Whether each point `x y` is inside of the box `x y width height` at the same position."""
    x, y = points.T
    left, top, width, height = boxes.T
    inside: NDArray[np.bool_] = (left < x) & (x < left + width) & (top < y) & (y < top + height)
    return inside
