"""Average precision of boxes in pictures, in two flavours: with misses as zeros, and as in COCO."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from mlebench.metrics.base import Metric

PAIRS_AT_ONCE = 1 << 13
"""So many that all about them stays in the processor's cache."""
COCO_MAX_DETECTIONS = 100
COCO_AREAS = (0.0, 1e10)
EPSILON = float(np.finfo(float).eps)


@dataclass(frozen=True)
class Boxes:
    """The boxes of many rows, laid end to end."""

    rows: Any
    """The row (picture, study, sample) of each box."""

    labels: Any
    """The class of each box as a number from 0, the same on both sides."""

    confidences: Any
    places: Any
    """Coordinates and sizes, a line per box."""

    row_count: int

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, kept: Any) -> Boxes:
        return Boxes(
            self.rows[kept],
            self.labels[kept],
            self.confidences[kept],
            self.places[kept],
            self.row_count,
        )


def group_numbers(true: Boxes, predicted: Boxes) -> tuple[Any, Any]:
    """For each box the number of its row and class, counted over both sides."""
    labels = 1 + int(max(true.labels.max(initial=0), predicted.labels.max(initial=0)))
    return true.rows * labels + true.labels, predicted.rows * labels + predicted.labels


def by_falling_confidence(groups: Any, confidences: Any) -> Any:
    """The order by group and, inside, by confidence; what is equal stays as it stood."""
    return np.lexsort((-confidences, groups))


def ranks_in_groups(sorted_groups: Any) -> Any:
    """0, 1, 2 … for the members of each group that stand together."""
    is_first = np.ones(len(sorted_groups), dtype=bool)
    is_first[1:] = sorted_groups[1:] != sorted_groups[:-1]
    places = np.arange(len(sorted_groups))
    return places - places[is_first][np.cumsum(is_first) - 1]


def pairs_in_groups(true_groups: Any, predicted_groups: Any) -> Iterator[tuple[Any, Any]]:
    """All pairs (predicted, true) of equal groups, some at a time; true ones ascend for each."""
    order = np.argsort(true_groups, kind="stable")
    first = np.searchsorted(true_groups[order], predicted_groups, side="left")
    counts = np.searchsorted(true_groups[order], predicted_groups, side="right") - first
    ends = np.cumsum(counts)
    start = 0
    while start < len(counts):
        done = ends[start - 1] if start else 0
        stop = max(start + 1, int(np.searchsorted(ends, done + PAIRS_AT_ONCE, side="right")))
        here = counts[start:stop]
        predicted = np.repeat(np.arange(start, stop), here)
        within = np.arange(len(predicted)) - np.repeat(ends[start:stop] - here - done, here)
        yield predicted, order[first[predicted] + within]
        start = stop


def corner_iou(first: Any, second: Any) -> Any:
    """Intersection over union of boxes `x_min y_min x_max y_max`; areas are signed."""
    width, height = (
        np.minimum(first[:, axis + 2], second[:, axis + 2])
        - np.maximum(first[:, axis], second[:, axis])
        for axis in (0, 1)
    )
    common = np.maximum(width, 0) * np.maximum(height, 0)
    union = _corner_areas(first) + _corner_areas(second) - common
    return np.divide(common, union, out=np.zeros(len(union)), where=union > 0)


def size_iou(first: Any, second: Any) -> Any:
    """Intersection over union of boxes `x y width height`; 0 where they do not meet."""
    width, height = (
        np.minimum(first[:, axis] + first[:, axis + 2], second[:, axis] + second[:, axis + 2])
        - np.maximum(first[:, axis], second[:, axis])
        for axis in (0, 1)
    )
    common = width * height
    union = first[:, 2] * first[:, 3] + second[:, 2] * second[:, 3] - common
    meets = (width > 0) & (height > 0)
    return np.divide(common, union, out=np.zeros(len(union)), where=meets)


def _corner_areas(boxes: Any) -> Any:
    return (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])


def average_precision(labels: Any, scores: Any) -> float:
    """Sum over falling distinct scores of (gain of recall) · precision."""
    order = np.argsort(-scores, kind="stable")
    hits = np.cumsum(labels[order])
    is_last = np.append(np.diff(scores[order]) != 0, True)
    hits, count = hits[is_last], np.flatnonzero(is_last) + 1
    return float((np.diff(hits, prepend=0) * hits / count).sum() / hits[-1])


def mean_average_precision(iou_above: float) -> Metric:
    """Mean over the true classes of the average precision, a missed box having the score 0.

    In each row and class the predictions, by falling confidence, take the free true box of the
    largest overlap. A row where a class is neither true nor predicted counts as a false alarm
    of score 0.
    """

    def function(y_true: Boxes, y_pred: Boxes) -> float:
        is_hit, is_found = match(y_true, y_pred, iou_above)
        values = []
        for label in np.flatnonzero(np.bincount(y_true.labels)):
            is_true, is_predicted = y_true.labels == label, y_pred.labels == label
            is_named = np.zeros(y_true.row_count, dtype=bool)
            is_named[y_true.rows[is_true]] = True
            is_named[y_pred.rows[is_predicted]] = True
            missed, absent = int((is_true & ~is_found).sum()), int((~is_named).sum())
            truth = np.concatenate([is_hit[is_predicted], np.ones(missed), np.zeros(absent)])
            scores = np.concatenate([y_pred.confidences[is_predicted], np.zeros(missed + absent)])
            values.append(average_precision(truth, scores))
        return float(np.mean(values))

    return Metric("mean_average_precision", False, function)


def match(true: Boxes, predicted: Boxes, iou_above: float) -> tuple[Any, Any]:
    """Which predictions hit, and which true boxes are found."""
    true_groups, groups = group_numbers(true, predicted)
    order = by_falling_confidence(groups, predicted.confidences)
    candidates = []
    for place, target in pairs_in_groups(true_groups, groups[order]):
        iou = corner_iou(predicted.places[order[place]], true.places[target])
        near = iou > iou_above
        candidates.append(np.stack([place[near], target[near], -iou[near]]))
    place, target, distance = np.concatenate(candidates or [np.empty((3, 0))], axis=1)
    best_first = np.lexsort((target, distance, place))
    place, target = place[best_first].astype(int), target[best_first].astype(int)
    is_hit, is_found = np.zeros(len(predicted), dtype=bool), np.zeros(len(true), dtype=bool)
    while len(place):
        # One hit for each group at a time: no more rounds than a group has true boxes.
        first = ranks_in_groups(true_groups[target]) == 0
        is_hit[order[place[first]]] = True
        is_found[target[first]] = True
        free = ~is_hit[order[place]] & ~is_found[target]
        place, target = place[free], target[free]
    return is_hit, is_found


def coco_mean_average_precision(iou_from: float) -> Metric:
    """COCO's average precision at one overlap, mean over the true classes, with published faults.

    There is one true box in each row and class. The faults: places `x_min y_min x_max y_max` are
    taken as `x y width height`; a hit on the very first true box is a false alarm; the very first
    prediction does not use up the box it hits.
    """

    def function(y_true: Boxes, y_pred: Boxes) -> float:
        state = _coco_hits(y_true, y_pred, iou_from)
        values = []
        for label in np.flatnonzero(np.bincount(y_true.labels)):
            counted = state.labels == label
            truths = int((y_true.labels == label).sum())
            values.append(_interpolated_precision(state.is_hit[counted], truths))
        return float(np.mean(values))

    return Metric("coco_mean_average_precision", False, function)


@dataclass(frozen=True)
class _Detections:
    """Detections that count, by falling confidence."""

    labels: Any
    is_hit: Any


def _coco_hits(true: Boxes, predicted: Boxes, iou_from: float) -> _Detections:
    true_groups, groups = group_numbers(true, predicted)
    order = by_falling_confidence(groups, predicted.confidences)
    order = order[ranks_in_groups(groups[order]) < COCO_MAX_DETECTIONS]
    groups = groups[order]
    iou, target = np.zeros(len(order)), np.full(len(order), -1)
    for place, partner in pairs_in_groups(true_groups, groups):
        iou[place] = size_iou(predicted.places[order[place]], true.places[partner])
        target[place] = partner
    is_near = (target >= 0) & (iou >= iou_from)
    uses_up = np.flatnonzero(is_near & (order != 0))
    users, first_use = np.unique(groups[uses_up], return_index=True)
    last_place = np.full(int(groups.max(initial=0)) + 1, len(order))
    last_place[users] = uses_up[first_use]
    is_hit = is_near & (np.arange(len(order)) <= last_place[groups]) & (target != 0)
    area = _corner_areas(predicted.places[order])
    counts = is_hit | ((area >= COCO_AREAS[0]) & (area <= COCO_AREAS[1]))
    order, is_hit = order[counts], is_hit[counts]
    # Equal confidences stay in the order of rows and of ranks inside them.
    by_row = np.lexsort(
        (np.arange(len(order)), predicted.rows[order], -predicted.confidences[order])
    )
    return _Detections(predicted.labels[order][by_row], is_hit[by_row])


def _interpolated_precision(is_hit: Any, truths: int) -> float:
    """Mean of the best precision at 101 levels of recall."""
    hits = np.cumsum(is_hit)
    precision = hits / (np.arange(1, len(hits) + 1) + EPSILON)
    best_from_here = np.maximum.accumulate(precision[::-1])[::-1]
    levels = np.searchsorted(hits / truths, np.linspace(0, 1, 101), side="left")
    return float(np.append(best_from_here, 0.0)[levels].mean())
