"""Average precision of boxes in pictures, in two flavours: with misses as zeros, and as in COCO."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np

from mlebench.metrics.base import Metric
from mlebench.metrics.threads import on_blocks
from mlebench.native import BYTES, FLOAT, FLOATS, INTS, SIZE, kernel

BOXES_AT_ONCE = 1 << 15
NO_MEMORY = -1
IS_HIT = 2
"""Of COCO's kinds of predictions: the others are false (1) or do not count (0)."""
EPSILON = float(np.finfo(float).eps)
BOXES = (INTS, INTS, INTS, FLOATS)
"""What a kernel learns of boxes."""

_match_greedily = kernel("match_greedily", SIZE, *BOXES, *BOXES, FLOAT, BYTES, BYTES)
_precision_of_label = kernel(
    "precision_of_label", SIZE, *BOXES[:3], *BOXES, BYTES, BYTES, SIZE, gives=FLOAT
)
_match_as_coco = kernel(
    "match_as_coco", SIZE, *BOXES, *BOXES, FLOAT, SIZE, SIZE, SIZE, BYTES, BYTES
)

Result = TypeVar("Result")


@dataclass(frozen=True)
class Boxes:
    """The boxes of many rows (pictures, studies, samples), those of a row together."""

    begin: Any
    """The first box of each row."""

    end: Any
    """The box behind its last."""

    labels: Any
    """The class of each box as a number, the same on both sides."""

    numbers: Any
    """The confidence of each box, then its coordinates and sizes."""

    first: int = 0
    """The box that was the first of all, before those of a row were put together."""

    @classmethod
    def in_lists(cls, starts: Any, labels: Any, numbers: Any) -> Boxes:
        """Boxes that lie row after row; the starts end with their number."""
        return cls(starts[:-1], starts[1:], labels, numbers)

    @classmethod
    def of_rows(cls, rows: Any, labels: Any, numbers: Any, row_count: int) -> Boxes:
        """Boxes in any order, with the row of each."""
        starts = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=row_count))])
        if (np.diff(rows) < 0).any():
            order = np.argsort(rows, kind="stable")
            labels, numbers = labels[order], numbers[order]
        boxes = cls.in_lists(starts, *map(np.ascontiguousarray, (labels, numbers)))
        return replace(boxes, first=int(starts[rows[0]]) if len(rows) else 0)

    def __len__(self) -> int:
        """The number of rows."""
        return len(self.begin)

    def __getitem__(self, rows: Any) -> Boxes:
        """The same with the rows in another order."""
        return replace(self, begin=self.begin[rows], end=self.end[rows])

    @property
    def rows(self) -> Any:
        """The row of each box."""
        by_place = np.argsort(self.begin, kind="stable")
        return np.repeat(by_place, (self.end - self.begin)[by_place])

    def between(self, start: int, stop: int) -> tuple[Any, ...]:
        """Some rows as a kernel takes them."""
        return self.begin[start:stop], self.end[start:stop], self.labels, self.numbers


def on_rows(
    work: Callable[..., Result], true: Boxes, predicted: Boxes, *notes: Any
) -> list[Result]:
    """The results of a kernel for some rows at a time, called with their number and both sides."""
    if len(true) != len(predicted):
        raise ValueError(f"{len(predicted)} rows are predicted, {len(true)} are true")
    blocks = 1 + min(len(predicted.labels) // BOXES_AT_ONCE, len(true))
    edges = np.linspace(0, len(true), blocks + 1).astype(int).tolist()

    def on_block(edge: tuple[int, int]) -> Result:
        return work(edge[1] - edge[0], *true.between(*edge), *predicted.between(*edge), *notes)

    return list(on_blocks(on_block, pairwise(edges)))


def require_memory(results: Sequence[float]) -> None:
    """Kernels say so when they got none."""
    if NO_MEMORY in results:
        raise MemoryError("no memory to match boxes")


def mean_average_precision(iou_above: float) -> Metric:
    """Mean over the true classes of the average precision, a missed box having the score 0.

    In each row and class the predictions, by falling confidence, take the free true box of the
    largest overlap. A row where a class is neither true nor predicted counts as a false alarm
    of score 0.
    """

    def function(y_true: Boxes, y_pred: Boxes) -> float:
        import pandas as pd

        is_hit, is_found = match(y_true, y_pred, iou_above)
        true_sides = y_true.begin, y_true.end, y_true.labels
        sides = *true_sides, y_pred.begin, y_pred.end, y_pred.labels, y_pred.numbers

        def value(label: int) -> float:
            return float(_precision_of_label(len(y_true), *sides, is_hit, is_found, label))

        values = list(on_blocks(value, pd.unique(y_true.labels).tolist()))
        require_memory(values)
        return float(np.mean(values))

    return Metric("mean_average_precision", False, function)


def match(true: Boxes, predicted: Boxes, iou_above: float) -> tuple[Any, Any]:
    """Which predictions hit, and which true boxes are found."""
    is_hit, is_found = (np.zeros(len(side.labels), np.uint8) for side in (predicted, true))
    require_memory(on_rows(_match_greedily, true, predicted, iou_above, is_hit, is_found))
    return is_hit, is_found


def coco_mean_average_precision(iou_from: float) -> Metric:
    """COCO's average precision at one overlap, mean over the true classes, with published faults.

    Classes are small numbers, and there is one true box in each row and class. The faults: places
    `x_min y_min x_max y_max` are taken as `x y width height`; a hit on the very first true box is a
    false alarm; the very first prediction does not use up the box it hits.
    """

    def function(y_true: Boxes, y_pred: Boxes) -> float:
        kinds = coco_kinds(y_true, y_pred, iou_from)

        def value(label: int) -> float:
            own = np.flatnonzero((y_pred.labels == label) & (kinds > 0))
            order = own[np.argsort(-y_pred.numbers[own, 0], kind="stable")]
            return _interpolated_precision(kinds[order] == IS_HIT, truths[label])

        truths = np.bincount(y_true.labels).tolist()
        return float(np.mean(list(on_blocks(value, np.flatnonzero(truths).tolist()))))

    return Metric("coco_mean_average_precision", False, function)


def coco_kinds(true: Boxes, predicted: Boxes, iou_from: float) -> Any:
    """Of each prediction whether it is a hit, is false, or does not count."""
    kinds, is_used = (np.zeros(len(side.labels), np.uint8) for side in (predicted, true))
    label_count = 1 + int(true.labels.max(initial=0))
    notes = iou_from, true.first, predicted.first, label_count, kinds, is_used
    require_memory(on_rows(_match_as_coco, true, predicted, *notes))
    return kinds


def _interpolated_precision(is_hit: Any, truths: int) -> float:
    """Mean of the best precision at 101 levels of recall."""
    hits = np.cumsum(is_hit)
    precision = hits / (np.arange(1, len(hits) + 1) + EPSILON)
    best_from_here = np.maximum.accumulate(precision[::-1])[::-1]
    levels = np.searchsorted(hits / truths, np.linspace(0, 1, 101), side="left")
    return float(np.append(best_from_here, 0.0)[levels].mean())
