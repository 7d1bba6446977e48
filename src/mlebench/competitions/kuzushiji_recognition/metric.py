"""Points of characters against boxes: each box takes the first point of its code inside of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from mlebench.competitions.kuzushiji_recognition.characters import Characters, read_characters
from mlebench.metrics import higher_is_better
from mlebench.metrics.words import number_texts

PAIRS_AT_ONCE = 4_000_000


@higher_is_better
def character_f1(y_true: Any, y_pred: Any) -> float:
    """2·TP / (2·TP + FP + FN) over all pages; a point is inside if it is not on the edge."""
    boxes, points = read_characters(y_true, 5), read_characters(y_pred, 3)
    pairs = [np.concatenate(side) for side in zip(*pairs_inside(boxes, points), strict=True)]
    right = count_matches(*pairs) if pairs else 0
    return 2 * right / (len(boxes.page) + len(points.page)) if right else 0.0


def pairs_inside(boxes: Characters, points: Characters) -> Iterator[tuple[Any, Any]]:
    """Boxes and the points of their page and code inside of them, by box, then by point."""
    box_code, point_code = number_texts(boxes.code, points.code)
    codes = int(max(box_code.max(initial=0), point_code.max(initial=0))) + 1
    box_key, point_key = boxes.page * codes + box_code, points.page * codes + point_code
    order = np.argsort(point_key, kind="stable")
    first, stop = (np.searchsorted(point_key[order], box_key, side) for side in ("left", "right"))
    end = np.cumsum(stop - first)
    start = 0
    while start < len(first):
        done = end[start - 1] if start else 0
        until = max(int(np.searchsorted(end, done + PAIRS_AT_ONCE, "right")), start + 1)
        count = (stop - first)[start:until]
        box = np.repeat(np.arange(start, until), count)
        step = np.arange(len(box)) - np.repeat(np.cumsum(count) - count, count)
        point = order[first[box] + step]
        inside = is_inside(boxes.numbers[box], points.numbers[point])
        yield box[inside], point[inside]
        start = until


def is_inside(box: Any, point: Any) -> Any:
    corner, size = box[:, :2], box[:, 2:]
    return ((corner < point) & (point < corner + size)).all(axis=1)


def count_matches(box: Any, point: Any) -> int:
    """How many boxes get a point when each in turn takes the first one that is left."""
    if not len(box):
        return 0
    in_several = np.bincount(point)[point] > 1
    is_contested = np.zeros(int(box.max()) + 1, dtype=bool)
    is_contested[box[in_several]] = True
    contested = is_contested[box]
    matches = len(np.unique(box[~contested]))
    taken: set[int] = set()
    served = -1
    for this, candidate in zip(box[contested].tolist(), point[contested].tolist(), strict=True):
        if this != served and candidate not in taken:
            taken.add(candidate)
            served = this
            matches += 1
    return matches
