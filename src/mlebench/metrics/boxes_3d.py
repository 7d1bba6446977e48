"""Average precision of upright boxes in space, each `x y z width length height yaw`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from mlebench.errors import InvalidSubmissionError
from mlebench.metrics.base import Metric
from mlebench.metrics.boxes import (
    PAIRS_AT_ONCE,
    Boxes,
    by_falling_confidence,
    group_numbers,
    pairs_in_groups,
    ranks_in_groups,
)

LENGTH_SIGNS = np.array([1, -1, -1, 1])
WIDTH_SIGNS = np.array([1, 1, -1, -1])
RIGHT_ANGLE = 1e-8


def mean_average_precision_3d(thresholds: Any) -> Metric:
    """Mean over rows and thresholds of the mean average precision over the row's true classes.

    By falling confidence each prediction takes the true box of its class that it overlaps most; it
    hits when the overlap exceeds the threshold and nobody took that box before. Predictions of a
    class that the row does not have are ignored.
    """

    def function(y_true: Boxes, y_pred: Boxes) -> float:
        true_groups, groups = group_numbers(y_true, y_pred)
        names, first, truths = np.unique(true_groups, return_index=True, return_counts=True)
        group = np.minimum(np.searchsorted(names, groups), len(names) - 1)
        is_scored = names[group] == groups
        predicted, group = y_pred[is_scored], group[is_scored]
        refuse_impossible(predicted.places)
        order = by_falling_confidence(group, predicted.confidences)
        group = group[order]
        iou, target = _best_targets(
            y_true.places, true_groups, predicted.places[order], names[group]
        )
        rank = ranks_in_groups(group)
        precision = np.zeros(len(names))
        for threshold in thresholds:
            hits = _first_on_each(target, iou > threshold, len(y_true))
            precision += _areas(group[hits], rank[hits], truths)
        rows = y_true.rows[first]
        by_row = np.bincount(rows, precision, y_true.row_count) / np.bincount(rows)
        return float(by_row.mean() / len(thresholds))

    return Metric("mean_average_precision_3d", False, function)


def _areas(group: Any, rank: Any, truths: Any) -> Any:
    """The area under each group's precision by recall, precision made to fall from the right."""
    number = ranks_in_groups(group)
    precision = np.zeros((len(truths), int(truths.max())))
    precision[group, number] = (number + 1) / (rank + 1)
    falling = np.maximum.accumulate(precision[:, ::-1], axis=1)
    return falling.sum(axis=1) / truths


def _first_on_each(target: Any, is_near: Any, targets: int) -> Any:
    """The first prediction that is near enough to each target, ascending."""
    near = np.flatnonzero(is_near)
    first = np.full(targets, -1)
    # The last assignment stays.
    first[target[near[::-1]]] = near[::-1]
    is_hit = np.zeros(len(target), dtype=bool)
    is_hit[first[first >= 0]] = True
    return np.flatnonzero(is_hit)


def _best_targets(true: Any, true_groups: Any, predicted: Any, groups: Any) -> tuple[Any, Any]:
    """For each prediction the largest overlap within its group, and the first box that has it."""
    best, target = np.zeros(len(predicted)), np.zeros(len(predicted), dtype=int)
    meet = _meeting(predicted, true)
    for place, partner in pairs_in_groups(true_groups, groups):
        near = meet(place, partner)
        place, partner = place[near], partner[near]
        iou = iou_3d(predicted[place], true[partner])
        largest_first = np.lexsort((-iou, place))
        first = largest_first[ranks_in_groups(place[largest_first]) == 0]
        best[place[first]] = iou[first]
        target[place[first]] = partner[first]
    return best, target


def _meeting(first: Any, second: Any) -> Callable[[Any, Any], Any]:
    """Tells which pairs lie near enough to meet, from little data since most do not."""
    (x1, y1, reach1), (x2, y2, reach2) = (
        (*boxes[:, :2].T.copy(), np.hypot(boxes[:, 3], boxes[:, 4]) / 2)
        for boxes in (first, second)
    )

    def meet(one: Any, other: Any) -> Any:
        distance = (x1[one] - x2[other]) ** 2 + (y1[one] - y2[other]) ** 2
        return np.flatnonzero(distance <= (reach1[one] + reach2[other]) ** 2)

    return meet


def iou_3d(first: Any, second: Any) -> Any:
    """Intersection over union of boxes, pair by pair."""
    low = np.maximum(first[:, 2] - first[:, 5] / 2, second[:, 2] - second[:, 5] / 2)
    high = np.minimum(first[:, 2] + first[:, 5] / 2, second[:, 2] + second[:, 5] / 2)
    common = common_ground(first, second) * np.maximum(high - low, 0)
    union = first[:, 3:6].prod(axis=1) + second[:, 3:6].prod(axis=1) - common
    return np.clip(common / union, 0, 1)


def common_ground(first: Any, second: Any) -> Any:
    """The area that the ground rectangles of two boxes share.

    Seen from the second box the first one's outline is walked along, every point moved to the
    nearest one inside the second: the area inside this new outline is the area in common.
    """
    x, y = _corners(first, origin=second[:, :2])
    cos, sin = np.cos(second[:, 6]), np.sin(second[:, 6])
    outline = []
    turns = []
    for start, half in (
        (x * cos + y * sin, second[:, 4] / 2),
        (y * cos - x * sin, second[:, 3] / 2),
    ):
        move = np.roll(start, -1, axis=0) - start
        outline.append((start, move, half))
        turns.append(_times_at(start, move, half))
    # Between these times, as shares of an edge, the moved point goes straight.
    (a, b), (c, d) = turns
    middle = np.maximum(a, c), np.minimum(b, d)
    times = (0, np.minimum(a, c), np.minimum(*middle), np.maximum(*middle), np.maximum(b, d), 1)
    x_before, y_before = _moved(outline, times[0])
    area = np.zeros(len(first))
    for time in times[1:]:
        x, y = _moved(outline, time)
        area += ((x - x_before) * (y + y_before)).sum(axis=0)
        x_before, y_before = x, y
    return np.abs(area) / 2


def _times_at(start: Any, move: Any, half: Any) -> tuple[Any, Any]:
    """When, in order, a point on its way passes either border."""
    times = [
        np.clip(np.divide(side - start, move, out=np.zeros_like(move), where=move != 0), 0, 1)
        for side in (-half, half)
    ]
    return np.minimum(*times), np.maximum(*times)


def _moved(outline: Any, time: Any) -> Any:
    return [np.clip(start + time * move, -half, half) for start, move, half in outline]


def _corners(boxes: Any, origin: Any = 0) -> tuple[Any, Any]:
    """x and y of the four corners of each ground rectangle, one after the other."""
    cos, sin = np.cos(boxes[:, 6]), np.sin(boxes[:, 6])
    length = LENGTH_SIGNS[:, None] * (boxes[:, 4] / 2)
    width = WIDTH_SIGNS[:, None] * (boxes[:, 3] / 2)
    x, y = (boxes[:, :2] - origin).T
    return x + length * cos - width * sin, y + length * sin + width * cos


def refuse_impossible(boxes: Any) -> None:
    """Places are numbers, sizes positive, and corners right angles as far as floats can tell."""
    for start in range(0, len(boxes), PAIRS_AT_ONCE):
        some = boxes[start : start + PAIRS_AT_ONCE]
        is_possible = _is_possible(some)
        if not is_possible.all():
            box = " ".join(f"{number:g}" for number in some[int(np.argmin(is_possible))])
            raise InvalidSubmissionError(
                f"a box is {box!r}, expected x y z width length height yaw with sizes above 0"
            )


def _is_possible(boxes: Any) -> Any:
    with np.errstate(invalid="ignore", over="ignore"):
        x, y = (np.roll(corner, -1, axis=0) - corner for corner in _corners(boxes))
        angles = np.abs(x * np.roll(x, -1, axis=0) + y * np.roll(y, -1, axis=0))
    is_possible = (boxes[:, 3:6] > 0).all(axis=1) & (angles <= RIGHT_ANGLE).all(axis=0)
    return is_possible & np.isfinite(boxes).all(axis=1)
