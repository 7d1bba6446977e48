"""Average precision of upright boxes in space, each `x y z width length height yaw`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from mlebench.competitions._3d_object_detection_for_autonomous_vehicles.overlaps import (
    LENGTH,
    WIDTH,
    X,
    Y,
    are_possible,
    iou,
)
from mlebench.errors import InvalidSubmissionError
from mlebench.metrics import Measured, Metric, mean_of
from mlebench.metrics.boxes import Boxes, group_keys, pairs_in_ranges, positions_in_group

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints: TypeAlias = NDArray[np.int64]
    Floats: TypeAlias = NDArray[np.float64]
    Grouped: TypeAlias = tuple[Floats, Ints]
    """Places of boxes as seven arrays, and a number for the row and class of each box."""


class Guesses(NamedTuple):
    """Predictions that overlap a true box, group by group and by falling confidence."""

    groups: Ints
    ranks: Ints
    """Among all predictions of the group, from 1."""

    targets: Ints
    """The true box that it overlaps most, the first one of several."""

    overlaps: Floats


def mean_average_precision_3d(thresholds: Sequence[float]) -> Metric:
    """Mean over rows and thresholds of the mean average precision over the row's true classes.

    By falling confidence each prediction takes the true box of its class that it overlaps most; it
    hits when the overlap exceeds the threshold and that box is still free. Predictions of a
    class that the row does not have are ignored.
    """

    def function(y_true: Boxes, y_pred: Boxes) -> Measured:
        guesses, first, counts = guesses_of(y_true, y_pred, min(thresholds))
        # Classes of a row are added up in the order in which the row lists them.
        listed = np.argsort(first)
        rows = y_true.rows[first[listed]]
        means = np.empty((len(y_true), len(thresholds)))
        for number, threshold in enumerate(thresholds):
            precisions = (areas(guesses, threshold, len(counts)) / counts)[listed]
            means[:, number] = np.bincount(rows, precisions, len(y_true))
        with np.errstate(invalid="ignore"):
            means /= np.bincount(rows, minlength=len(y_true))[:, None]
        score = float(means.sum(axis=1).mean() / len(thresholds))
        return mean_of(means.mean(axis=1), score=score)

    return Metric("mean_average_precision_3d", False, function)


def guesses_of(y_true: Boxes, y_pred: Boxes, overlap_above: float) -> tuple[Guesses, Ints, Ints]:
    """The guesses, and for each group of true boxes (row and class) the first one and how many."""
    true_keys, keys = group_keys(y_true, y_pred)
    known, first, true_groups, counts = np.unique(
        true_keys, return_index=True, return_inverse=True, return_counts=True
    )
    groups = np.searchsorted(known, keys)
    own = np.flatnonzero(np.append(known, -1)[groups] == keys)
    order = own[np.argsort(-y_pred.confidences[own], kind="stable")]
    # Short integers are sorted much faster.
    short = groups[order].astype(np.min_scalar_type(len(known)))
    order = order[np.argsort(short, kind="stable")]
    places = np.ascontiguousarray(y_pred.places[order].T)
    _refuse_impossible(places)
    true = np.ascontiguousarray(y_true.places.T), true_groups
    return best_guesses((places, groups[order]), true, overlap_above), first, counts


def best_guesses(predicted: Grouped, true: Grouped, overlap_above: float) -> Guesses:
    """Which true box each prediction overlaps most, if enough."""
    found = [(np.empty(0, int), np.empty(0, int), np.empty(0))]
    for numbers, targets in near_pairs(predicted, true):
        overlaps = iou(predicted[0][:, numbers], true[0][:, targets])
        is_enough = overlaps > overlap_above
        found.append((numbers[is_enough], targets[is_enough], overlaps[is_enough]))
    numbers, targets, overlaps = (np.concatenate(part) for part in zip(*found, strict=True))
    if not len(numbers):
        return Guesses(numbers, numbers, targets, overlaps)
    first = np.flatnonzero(np.diff(numbers, prepend=-1))
    best = np.maximum.reduceat(overlaps, first)
    is_best = overlaps == np.repeat(best, np.diff(first, append=len(numbers)))
    targets = np.minimum.reduceat(np.where(is_best, targets, len(true[1])), first)
    numbers, groups = numbers[first], predicted[1]
    return Guesses(groups[numbers], positions_in_group(groups)[numbers], targets, best)


def near_pairs(predicted: Grouped, true: Grouped) -> Iterator[tuple[Ints, Ints]]:
    """Pairs of the same group whose circles around the ground rectangles meet."""
    (places, groups), (true_places, true_groups) = predicted, true
    reach, true_reach = (np.hypot(side[WIDTH], side[LENGTH]) / 2 for side in (places, true_places))
    # Groups are placed along one axis, so far apart that no true box reaches another group.
    middle = true_places[X].mean() if true_places.size else 0.0
    half = (np.abs(true_places[X] - middle) + true_reach).max(initial=1)
    x = true_places[X] - middle + 4 * half * true_groups
    order = np.argsort(x)
    margin = reach + true_reach.max(initial=0) + 1e-6 * half
    begins, ends = (
        np.searchsorted(x[order], np.clip(edge, -2 * half, 2 * half) + 4 * half * groups)
        for edge in (places[X] - middle - margin, places[X] - middle + margin)
    )
    for numbers, positions in pairs_in_ranges(begins, ends):
        targets = order[positions]
        x, y = (places[axis, numbers] - true_places[axis, targets] for axis in (X, Y))
        with np.errstate(over="ignore"):
            is_near = ~(x * x + y * y > (reach[numbers] + true_reach[targets]) ** 2)
        yield numbers[is_near], targets[is_near]


def hits_above(guesses: Guesses, threshold: float) -> Ints:
    """Which guesses hit: of all that overlap a target enough the first one takes it."""
    enough = np.flatnonzero(guesses.overlaps > threshold)
    first = np.full(guesses.targets.max(initial=-1) + 1, -1)
    first[guesses.targets[enough][::-1]] = enough[::-1]
    hits: Ints = enough[first[guesses.targets[enough]] == enough]
    return hits


def areas(guesses: Guesses, threshold: float, group_count: int) -> Floats:
    """For each group the area under precision by recall, recall counted in true boxes."""
    hits = hits_above(guesses, threshold)
    groups = guesses.groups[hits]
    precisions = positions_in_group(groups) / guesses.ranks[hits]
    # Precision is made to fall from the right: the largest of those of the group from there on.
    step = 1
    while step < len(hits) and (groups[step:] == groups[:-step]).any():
        later = np.where(groups[step:] == groups[:-step], precisions[step:], 0)
        precisions[:-step] = np.maximum(precisions[:-step], later)
        step *= 2
    return np.bincount(groups[::-1], precisions[::-1], group_count).astype(float)


def _refuse_impossible(places: Floats) -> None:
    wrong = places[:, ~are_possible(places)].T
    if len(wrong):
        place = " ".join(f"{number:g}" for number in wrong[0])
        raise InvalidSubmissionError(
            f"a box is {place!r}, expected x y z width length height yaw with sizes above 0"
        )
