"""Points of characters against boxes: each box takes the first point of its code inside of it."""

from __future__ import annotations

from mlebench.metrics import higher_is_better
from mlebench.metrics.boxes import BOXES, Boxes, on_rows, require_memory
from mlebench.native import SIZE, kernel

_count_points = kernel("count_points", SIZE, *BOXES, *BOXES)


@higher_is_better
def character_f1(y_true: Boxes, y_pred: Boxes) -> float:
    """2·TP / (2·TP + FP + FN) over all pages; a point is inside if it is not on the edge."""
    found = on_rows(_count_points, y_true, y_pred)
    require_memory(found)
    right = sum(found)
    return 2 * right / (len(y_true.labels) + len(y_pred.labels)) if right else 0.0
