"""Average precision of boxes in pictures, in two flavours: with misses as zeros, and as in COCO."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np

from mlebench.metrics.base import Metric
from mlebench.metrics.threads import on_blocks
from mlebench.native import BYTES, FLOAT, FLOATS, INTS, SIZE, array_of, kernel

BOXES_AT_ONCE = 1 << 16
NO_MEMORY = -1
EPSILON = float(np.finfo(float).eps)
LEVELS = np.linspace(0, 1, 101)
BOXES = (INTS, INTS, FLOATS)
"""What a kernel learns of boxes."""

MARKS = array_of(np.int32)

_match_greedily = kernel("match_greedily", SIZE, *BOXES, *BOXES, FLOAT, BYTES, BYTES)
_mark_labels = kernel(
    "mark_labels", SIZE, *BOXES[:2], *BOXES, BYTES, BYTES, SIZE, INTS, INTS, FLOATS, MARKS
)
_precision_of_label = kernel(
    "precision_of_label", SIZE, FLOATS, MARKS, SIZE, SIZE, SIZE, gives=FLOAT
)
_match_as_coco = kernel(
    "match_as_coco", SIZE, *BOXES, *BOXES, FLOAT, SIZE, SIZE, SIZE, FLOATS, MARKS
)
_coco_precisions = kernel(
    "coco_precisions", SIZE, FLOATS, MARKS, SIZE, SIZE, FLOAT, SIZE, FLOATS, FLOATS
)

Result = TypeVar("Result")


class Side(Protocol):
    """The boxes of many rows (pictures, studies, samples), some of which can be looked at."""

    @property
    def count(self) -> int:
        """The number of boxes."""

    def __len__(self) -> int:
        """The number of rows."""

    def between(self, start: int, stop: int) -> Boxes:
        """The boxes of some rows."""


@dataclass(frozen=True)
class Boxes:
    """Boxes that lie row after row."""

    starts: Any
    """The first box of each row, and behind them the number of boxes."""

    labels: Any
    """The class of each box as a number, the same on both sides."""

    numbers: Any
    """The confidence of each box, then its coordinates and sizes."""

    first_row: int = 0
    """The row of the box that was the first of all, before those of a row were put together; −1
    where it is not among these."""

    place: int = 0
    """How many boxes lie before these."""

    @classmethod
    def of_rows(cls, rows: Any, labels: Any, numbers: Any, row_count: int) -> Boxes:
        """Boxes in any order, with the row of each."""
        starts = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=row_count))])
        if (rows[1:] < rows[:-1]).any():
            order = np.argsort(rows, kind="stable")
            labels, numbers = labels[order], numbers[order]
        labels, numbers = map(np.ascontiguousarray, (labels, numbers))
        return cls(starts, labels, numbers, int(rows[0]) if len(rows) else 0)

    @property
    def count(self) -> int:
        return len(self.labels)

    def __len__(self) -> int:
        return len(self.starts) - 1

    def between(self, start: int, stop: int) -> Boxes:
        first, last = self.starts[start], self.starts[stop]
        starts = self.starts[start : stop + 1] - first
        first_row = place_among(self.first_row, start, stop)
        return Boxes(starts, self.labels[first:last], self.numbers[first:last], first_row, first)

    @property
    def sides(self) -> tuple[Any, Any, Any]:
        """As a kernel takes them."""
        return self.starts, self.labels, self.numbers


def place_among(row: int, start: int, stop: int) -> int:
    """Which of some rows this one is, or −1."""
    return row - start if start <= row < stop else -1


def row_blocks(rows: int, boxes: int) -> Iterable[tuple[int, int]]:
    """First and last row of blocks, for so many rows with so many boxes."""
    blocks = 1 + min(boxes // BOXES_AT_ONCE, rows)
    return pairwise(np.linspace(0, rows, blocks + 1).astype(int).tolist())


def on_rows(work: Callable[[Boxes, Boxes], Result], true: Side, predicted: Side) -> list[Result]:
    """The results for some rows at a time."""
    if len(true) != len(predicted):
        raise ValueError(f"{len(predicted)} rows are predicted, {len(true)} are true")
    edges = row_blocks(len(true), predicted.count)
    return list(on_blocks(lambda edge: work(true.between(*edge), predicted.between(*edge)), edges))


def require_memory(results: Sequence[float]) -> None:
    """Kernels say so when they got none."""
    if NO_MEMORY in results:
        raise MemoryError("no memory to match boxes")


class Marked(NamedTuple):
    """All predictions, as far as they matter for the order in which they come."""

    scores: Any
    marks: Any
    """Twice the number of the class, and one more for a hit; −1 for what does not count."""

    @classmethod
    def for_boxes(cls, count: int) -> Marked:
        return cls(np.empty(count), np.empty(count, np.int32))

    def of_block(self, block: Boxes) -> tuple[Any, Any]:
        """Those of some rows."""
        here = slice(block.place, block.place + block.count)
        return self.scores[here], self.marks[here]


def mean_average_precision(iou_above: float) -> Metric:
    """Mean over the true classes of the average precision, a missed box having the score 0.

    In each row and class the predictions, by falling confidence, take the free true box of the
    largest overlap. A row where a class is neither true nor predicted counts as a false alarm
    of score 0.
    """

    def function(y_true: Side, y_pred: Side) -> float:
        # Mostly some rows show all classes, and nothing must be read twice.
        first, *others = row_blocks(len(y_true), y_pred.count)
        labels = _distinct(y_true, [first])
        found = _marked(y_true, y_pred, iou_above, labels)
        if found is None:
            labels = _distinct(y_true, [first, *others])
            found = _marked(y_true, y_pred, iou_above, labels)
        marked, missed, absent = found

        def value(label: int) -> float:
            number = int(np.searchsorted(np.sort(labels), label))
            notes = number, int(missed[number]), int(absent[number])
            return float(_precision_of_label(y_pred.count, *marked, *notes))

        values = list(on_blocks(value, labels.tolist()))
        require_memory(values)
        return float(np.mean(values))

    return Metric("mean_average_precision", False, function)


def _distinct(side: Side, edges: Iterable[tuple[int, int]]) -> Any:
    """The classes of some rows, in the order in which they come."""
    import pandas as pd

    found = on_blocks(lambda edge: pd.unique(side.between(*edge).labels), edges)
    return pd.unique(np.concatenate(list(found)))


def _marked(true: Side, predicted: Side, iou_above: float, labels: Any) -> Any:
    """The predictions, and of each class missed boxes and rows without it; nothing if other
    classes are true."""
    known, marked = np.sort(labels), Marked.for_boxes(predicted.count)

    def work(true_block: Boxes, block: Boxes) -> tuple[bool, Any]:
        matches = match(true_block, block, iou_above)
        tallies = np.zeros((2, len(known)), np.int64)
        sides = *true_block.sides[:2], *block.sides, *matches
        result = _mark_labels(
            len(block), *sides, len(known), known, tallies, *marked.of_block(block)
        )
        require_memory([result])
        return result == 0, tallies

    are_known, tallies = zip(*on_rows(work, true, predicted), strict=True)
    missed, named = np.sum(tallies, axis=0)
    return (marked, missed, len(true) - named) if all(are_known) else None


def match(true: Boxes, predicted: Boxes, iou_above: float) -> tuple[Any, Any]:
    """Which predictions hit, and which true boxes are found."""
    is_hit, is_found = (np.zeros(side.count, np.uint8) for side in (predicted, true))
    notes = iou_above, is_hit, is_found
    require_memory([_match_greedily(len(true), *true.sides, *predicted.sides, *notes)])
    return is_hit, is_found


def coco_mean_average_precision(iou_from: float) -> Metric:
    """COCO's average precision at one overlap, mean over the true classes, with published faults.

    Classes are small numbers, and there is one true box in each row and class. The faults: places
    `x_min y_min x_max y_max` are taken as `x y width height`; a hit on the very first true box is a
    false alarm; the very first prediction does not use up the box it hits.
    """

    def function(y_true: Boxes, y_pred: Side) -> float:
        marked = coco_marks(y_true, y_pred, iou_from)
        truths = np.bincount(y_true.labels).tolist()

        def value(label: int) -> float:
            best = np.empty(len(LEVELS))
            notes = label, truths[label], EPSILON, len(LEVELS), LEVELS, best
            require_memory([_coco_precisions(y_pred.count, *marked, *notes)])
            return float(best.mean())

        return float(np.mean(list(on_blocks(value, np.flatnonzero(truths).tolist()))))

    return Metric("coco_mean_average_precision", False, function)


def coco_marks(true: Boxes, predicted: Side, iou_from: float) -> Marked:
    """The predictions, of which hits and false ones count."""
    marked = Marked.for_boxes(predicted.count)
    label_count = 1 + int(true.labels.max(initial=0))

    def work(true_block: Boxes, block: Boxes) -> int:
        firsts = true_block.first_row, block.first_row
        sides = *true_block.sides, *block.sides, iou_from, *firsts, label_count
        return int(_match_as_coco(len(block), *sides, *marked.of_block(block)))

    require_memory(on_rows(work, true, predicted))
    return marked
