"""Overlaps of upright boxes in space, pair by pair.

Boxes are seven arrays: `x y z width length height yaw`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats: TypeAlias = NDArray[np.float64]

X, Y, Z, WIDTH, LENGTH, HEIGHT, YAW = range(7)
LENGTH_SIGNS = np.array([[1], [-1], [-1], [1]])
WIDTH_SIGNS = np.array([[1], [1], [-1], [-1]])
NEXT = [1, 2, 3, 0]
RIGHT_ANGLE = 1e-8
SURELY_RIGHT = 1e6


def ground_corners(boxes: Floats, x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """The four corners of the ground rectangles, one after the other, around a middle."""
    length, width = LENGTH_SIGNS * (boxes[LENGTH] / 2), WIDTH_SIGNS * (boxes[WIDTH] / 2)
    cosine, sine = np.cos(boxes[YAW]), np.sin(boxes[YAW])
    return x + length * cosine - width * sine, y + length * sine + width * cosine


def are_possible(boxes: Floats) -> NDArray[np.bool_]:
    """Whether numbers are finite, sizes positive and corners are right angles up to rounding."""
    is_possible: NDArray[np.bool_] = np.logical_and.reduce(np.isfinite(boxes))
    is_possible &= (boxes[WIDTH] > 0) & (boxes[LENGTH] > 0) & (boxes[HEIGHT] > 0)
    # Corners are off by less than 4 roundings of the largest number involved, so that angles
    # are right where boxes are neither large nor far away.
    sides = boxes[WIDTH] + boxes[LENGTH]
    largest = np.abs(boxes[X]) + np.abs(boxes[Y]) + sides
    with np.errstate(invalid="ignore", over="ignore"):
        doubtful = np.flatnonzero(~(is_possible & (largest * sides < SURELY_RIGHT)))
        x, y = ground_corners(boxes[:, doubtful], *boxes[:2, doubtful])
        x, y = x[NEXT] - x, y[NEXT] - y
        is_right = np.abs(x * x[NEXT] + y * y[NEXT]) <= RIGHT_ANGLE
    is_possible[doubtful] &= is_right.all(axis=0)
    return is_possible


def iou(boxes: Floats, others: Floats) -> Floats:
    """Intersection over union; NaN where numbers are too large to tell."""
    half, other_half = boxes[HEIGHT] / 2, others[HEIGHT] / 2
    low = np.maximum(boxes[Z] - half, others[Z] - other_half)
    high = np.minimum(boxes[Z] + half, others[Z] + other_half)
    with np.errstate(invalid="ignore", over="ignore"):
        common = common_ground(boxes, others) * np.maximum(high - low, 0)
        volume, other_volume = (
            side[WIDTH] * side[LENGTH] * side[HEIGHT] for side in (boxes, others)
        )
        share: Floats = np.clip(common / (volume + other_volume - common), 0, 1)
    return share


def common_ground(boxes: Floats, others: Floats) -> Floats:
    """The area that the ground rectangles of two boxes share.

    Seen from the second box, the outline of the first is walked along, and every point is moved to
    the nearest one inside the second: the area inside this new outline is the area in common.
    """
    ahead, aside = ground_corners(boxes, boxes[X] - others[X], boxes[Y] - others[Y])
    cosine, sine = np.cos(others[YAW]), np.sin(others[YAW])
    half_length, half_width = others[LENGTH] / 2, others[WIDTH] / 2
    x, y = ahead * cosine + aside * sine, aside * cosine - ahead * sine
    x_moves, y_moves = x[NEXT] - x, y[NEXT] - y

    # An edge crosses up to four borders of the second box; in between a moved point goes straight.
    enters, leaves = crossing_times(x, x_moves, half_length)
    other_enters, other_leaves = crossing_times(y, y_moves, half_width)
    inner = np.maximum(enters, other_enters), np.minimum(leaves, other_leaves)
    times = [
        np.minimum(enters, other_enters),
        np.minimum(*inner),
        np.maximum(*inner),
        np.maximum(leaves, other_leaves),
    ]
    area = np.zeros(len(half_length))
    last_x, last_y = clipped(x, half_length), clipped(y, half_width)
    corner_x, corner_y = last_x[NEXT], last_y[NEXT]
    for time in times:
        new_x = clipped(x + time * x_moves, half_length)
        new_y = clipped(y + time * y_moves, half_width)
        area += ((new_x - last_x) * (new_y + last_y)).sum(axis=0)
        last_x, last_y = new_x, new_y
    area += ((corner_x - last_x) * (corner_y + last_y)).sum(axis=0)
    return np.abs(area) / 2


def crossing_times(starts: Floats, moves: Floats, half: Floats) -> tuple[Floats, Floats]:
    """When points that move along the edges enter and leave -half to half, as shares of the way.

    An edge that does not move in this direction has the times 0.
    """
    is_still = moves == 0
    divisors = moves + is_still
    low, high = (-half - starts) / divisors, (half - starts) / divisors
    low[is_still] = high[is_still] = 0
    first, last = np.minimum(low, high), np.maximum(low, high)
    return np.clip(first, 0, 1, out=first), np.clip(last, 0, 1, out=last)


def clipped(places: Floats, half: Floats) -> Floats:
    """Each moved to the nearest place from -half to half."""
    return np.minimum(np.maximum(places, -half), half)
