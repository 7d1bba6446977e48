"""Points of characters against boxes: each box takes the first point of its code inside of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from mlebench.competitions.kuzushiji_recognition.characters import Characters
from mlebench.metrics import higher_is_better

PAIRS_AT_ONCE = 1 << 17
"""So many that all about them stays in the processor's cache."""


@higher_is_better
def character_f1(y_true: Characters, y_pred: Characters) -> float:
    """2·TP / (2·TP + FP + FN) over all pages; a point is inside if it is not on the edge."""
    pairs = [np.concatenate(side) for side in zip(*pairs_inside(y_true, y_pred), strict=True)]
    right = count_matches(*pairs) if pairs else 0
    return 2 * right / (len(y_true.page) + len(y_pred.page)) if right else 0.0


def pairs_inside(boxes: Characters, points: Characters) -> Iterator[tuple[Any, Any]]:
    """Boxes and the points of their page and code inside of them, by box, then by point."""
    import pandas as pd

    code, codes = pd.factorize(np.concatenate([boxes.code, points.code]))
    group, groups = pd.factorize(np.concatenate([boxes.page, points.page]) * len(codes) + code)
    of_box, of_point = group[: len(boxes.code)], group[len(boxes.code) :]
    order = np.argsort(of_point, kind="stable")
    size = np.bincount(of_point, minlength=len(groups))
    rivals = np.bincount(of_box, minlength=len(groups))
    count = size[of_box]
    end = np.cumsum(count)
    # What leads from a pair's number to the place of its point in the order.
    shift = (np.cumsum(size) - size)[of_box] - end + count
    # Axis by axis in memory.
    corners, ends, places = (
        np.asfortranarray(numbers)
        for numbers in (
            boxes.numbers[:, :2],
            boxes.numbers[:, :2] + boxes.numbers[:, 2:],
            points.numbers,
        )
    )
    start = 0
    while start < len(count):
        done = end[start - 1] if start else 0
        until = max(int(np.searchsorted(end, done + PAIRS_AT_ONCE, "right")), start + 1)
        box = np.repeat(np.arange(start, until), count[start:until])
        point = order[np.arange(done, end[until - 1]) + shift[box]]
        for low, high, place in zip(corners.T, ends.T, places.T, strict=True):
            # Most points are out at the first axis already.
            inside = (low[box] < place[point]) & (place[point] < high[box])
            box, point = box[inside], point[inside]
        # Other boxes take one point each, so that no box needs to look at more than there are.
        rank = np.arange(len(box)) - np.searchsorted(box, box)
        needed = rank < rivals[of_box[box]]
        yield box[needed], point[needed]
        start = until


def count_matches(box: Any, point: Any) -> int:
    """How many boxes get a point when each in turn takes the first one that is left."""
    if not len(box):
        return 0
    in_several = np.bincount(point)[point] > 1
    is_contested = np.zeros(int(box.max()) + 1, dtype=bool)
    is_contested[box[in_several]] = True
    contested = is_contested[box]
    easy = box[~contested]
    matches = int(np.count_nonzero(np.diff(easy, prepend=-1)))
    taken: set[int] = set()
    served = -1
    for this, candidate in zip(box[contested].tolist(), point[contested].tolist(), strict=True):
        if this != served and candidate not in taken:
            taken.add(candidate)
            served = this
            matches += 1
    return matches
