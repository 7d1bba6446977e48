"""Points of characters against boxes: each box takes the first point of its code inside of it."""

from __future__ import annotations

from mlebench.metrics import higher_is_better
from mlebench.metrics.boxes import BOXES, Boxes, Side, on_rows, require_memory
from mlebench.native import SIZE, kernel

_count_points = kernel("count_points", SIZE, *BOXES, *BOXES)


@higher_is_better
def character_f1(y_true: Side, y_pred: Side) -> float:
    """2·TP / (2·TP + FP + FN) over all pages; a point is inside if it is not on the edge."""
    found = on_rows(_matches, y_true, y_pred)
    require_memory(found)
    right = sum(found)
    return 2 * right / (y_true.count + y_pred.count) if right else 0.0


def _matches(boxes: Boxes, points: Boxes) -> int:
    return int(_count_points(len(boxes), *boxes.sides, *points.sides))
