"""Metrics on the ranking of rows by score: areas under the ROC curve."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from mlebench.metrics.base import Measured, Metric, higher_is_better

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from mlebench.metrics.base import Floats

Band: TypeAlias = tuple[float, float, float]
"""From one height of a ROC curve to another, with its weight."""

POWER = -5
"""The power of the mean over groups of people."""


@higher_is_better
def roc_auc(y_true: ArrayLike, y_pred: ArrayLike) -> Measured:
    """Area under the ROC curve of scores against 0/1 labels; ties count half; NaN for one class."""
    below, above = _sorted_by_class(y_true, y_pred)
    if not len(above) or not len(below):
        return Measured(math.nan)
    # The negative rows that each positive one beats, and once more with its ties.
    beaten = sum(np.searchsorted(below, above, side).sum() for side in ("left", "right"))
    score = float(beaten / 2 / (len(above) * len(below)))
    return Measured(score, lambda: _placements(y_true, y_pred, below, above))


def _placements(y_true: ArrayLike, y_pred: ArrayLike, below: Floats, above: Floats) -> Floats:
    """DeLong's placement values in the order of the rows, less their means in both classes."""
    is_positive, scores = np.asarray(y_true) == 1, np.asarray(y_pred, dtype=float)
    values = np.empty(len(scores))
    for own, others, sign in ((is_positive, below, 1), (~is_positive, above, -1)):
        places = sum(np.searchsorted(others, scores[own], side) for side in ("left", "right"))
        values[own] = sign * (places - np.mean(places)) / len(others) / 2 / len(places)
    return values * len(values)


def _sorted_by_class(y_true: ArrayLike, y_pred: ArrayLike) -> tuple[Floats, Floats]:
    """The scores of the negative rows and those of the positive ones."""
    is_positive, scores = np.asarray(y_true) == 1, np.asarray(y_pred, dtype=float)
    return np.sort(scores[~is_positive]), np.sort(scores[is_positive])


@higher_is_better
def mean_column_roc_auc(y_true: ArrayLike, y_pred: ArrayLike) -> Measured:
    """Mean over columns of the area under the ROC curve."""
    truth, scores = np.asarray(y_true), np.asarray(y_pred, dtype=float)
    columns = [(truth[:, k], scores[:, k]) for k in range(truth.shape[1])]
    areas = [roc_auc.measure(*column) for column in columns]
    return Measured(
        float(np.mean([area.score for area in areas])),
        lambda: np.mean([_contributions(area, len(truth)) for area in areas], axis=0),
    )


def _contributions(area: Measured, rows: int) -> Floats:
    """Those of an area; 0 where one of the classes is missing."""
    return area.contributions() if area.contributions else np.zeros(rows)


def weighted_roc_auc(*, cuts: Sequence[float], weights: Sequence[float]) -> Metric:
    """Area under the ROC curve whose bands of height, between the cuts, weigh differently."""
    bands = list(zip([0.0, *cuts], [*cuts, 1.0], weights, strict=True))

    @higher_is_better
    def weighted_roc_auc(y_true: ArrayLike, y_pred: ArrayLike) -> Measured:
        below, above = _sorted_by_class(y_true, y_pred)
        if not len(above) or not len(below):
            return Measured(math.nan)
        rises = _rises(above, below)
        area = sum(weight * _areas_between(a, b, *rises).sum() for a, b, weight in bands)
        whole = sum(weight * (high - low) for low, high, weight in bands)

        def contributions() -> Floats:
            is_positive, scores = np.asarray(y_true) == 1, np.asarray(y_pred, dtype=float)
            values = np.empty(len(scores))
            values[is_positive], values[~is_positive] = _band_placements(
                scores[is_positive], scores[~is_positive], bands
            )
            return values * len(values) / whole

        return Measured(float(area / whole), contributions)

    return weighted_roc_auc


def _band_placements(
    positive: Floats, negative: Floats, bands: list[Band]
) -> tuple[Floats, Floats]:
    """How the area in weighted bands changes with each positive and each negative row.

    A positive row moves the rows at a cut into the next band, whose weight differs. Rows with one
    score are a stretch of the curve, of which a cut may divide a part off.
    """
    above, below = np.sort(positive), np.sort(negative)
    scores, (low, high, at_low, at_high) = np.unique(above), _rises(above, below)

    def weighted(at_low: Floats, at_high: Floats) -> Floats:
        stretches = low, high, at_low, at_high
        areas = [weight * _areas_between(a, b, *stretches) for a, b, weight in bands]
        return np.asarray(np.sum(areas, axis=0))

    gained = weighted(at_low, at_high) / (high - low)
    for (_, cut, weight), (_, _, next_weight) in pairwise(bands):
        shares = np.clip((cut - low) / (high - low), 0, 1)
        at = np.flatnonzero((low <= cut) & (cut <= high))[0]
        beaten = at_low[at] + shares[at] * (at_high[at] - at_low[at])
        gained += (next_weight - weight) * beaten * shares
    gained = gained[np.searchsorted(scores, positive)]
    ones, zeros = np.ones(len(scores)), np.zeros(len(scores))
    beaten_by = np.append(np.cumsum(weighted(ones, ones)[::-1])[::-1], 0.0)
    tied = np.append(0.0, weighted(ones, zeros))
    places = [np.searchsorted(scores, negative, side) for side in ("left", "right")]
    lost = beaten_by[places[1]] + np.where(places[0] < places[1], tied[places[1]], 0)
    return (gained - gained.mean()) / len(positive), (lost - lost.mean()) / len(negative)


def _rises(above: Floats, below: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """The stretches on which the ROC curve rises, one per distinct score of a positive row.

    True positive rates at their lower and upper ends, then the share of negatives still beaten.
    """
    firsts = np.flatnonzero(np.append(True, above[1:] != above[:-1]))
    scores, counts = above[firsts], np.diff(firsts, append=len(above))
    low = (len(above) - np.cumsum(counts)) / len(above)
    high = (len(above) - np.cumsum(counts) + counts) / len(above)
    at_high = np.searchsorted(below, scores, "left") / len(below)
    at_low = np.searchsorted(below, scores, "right") / len(below)
    return low, high, at_low, at_high


def _areas_between(
    bottom: float, top: float, low: Floats, high: Floats, at_low: Floats, at_high: Floats
) -> Floats:
    """Areas right of rising stretches, within a band of height."""
    start, end = np.clip(low, bottom, top), np.clip(high, bottom, top)
    middle = ((start + end) / 2 - low) / (high - low)
    return np.asarray((end - start) * (at_low + middle * (at_high - at_low)))


@higher_is_better
def bias_roc_auc(y_true: ArrayLike, y_pred: ArrayLike) -> Measured:
    """A quarter each of the AUC of all rows and of three power means over groups of people.

    The truth has the label and then one column per group that a row may mention. Everything, the
    predictions too, is cut to 0/1 at one half first; gaps are 0.
    """
    return _mean_over_groups(y_true, np.asarray(y_pred) >= 0.5, _balanced_accuracy)


@higher_is_better
def bias_ranking_auc(y_true: ArrayLike, y_pred: ArrayLike) -> Measured:
    """The same, where the predictions are ranked and only the truth is cut."""
    return _mean_over_groups(y_true, np.asarray(y_pred, dtype=float), roc_auc)


def _mean_over_groups(
    y_true: ArrayLike, predicted: NDArray[Any], auc: Callable[[Any, Any], float]
) -> Measured:
    truth = np.asarray(y_true, dtype=float) >= 0.5
    label, groups = truth[:, 0], truth[:, 1:].T
    subsets = (
        list(groups),
        [group != label for group in groups],
        [group == label for group in groups],
    )
    areas = [[auc(label[rows], predicted[rows]) for rows in kind] for kind in subsets]
    means = [_power_mean(own, POWER) for own in areas]

    def contributions() -> Floats:
        changes = _contributions(roc_auc.measure(label, predicted), len(label))
        for kind, own, mean in zip(subsets, areas, means, strict=True):
            for rows, area in zip(kind, own, strict=True):
                slope = (mean / area) ** (1 - POWER) / len(own) if area > 0 else 0.0
                count = int(rows.sum())
                part = _contributions(roc_auc.measure(label[rows], predicted[rows]), count)
                changes[rows] += slope * len(label) / max(count, 1) * part
        return changes / 4

    return Measured((auc(label, predicted) + sum(means)) / 4, contributions)


def _balanced_accuracy(label: NDArray[np.bool_], predicted: NDArray[np.bool_]) -> float:
    """The area under the ROC curve of yes/no predictions."""
    hits, all_positive = int(predicted[label].sum()), int(label.sum())
    alarms, all_negative = int(predicted[~label].sum()), int((~label).sum())
    if not all_positive or not all_negative:
        return math.nan
    return (hits / all_positive + 1 - alarms / all_negative) / 2


def _power_mean(values: Sequence[float], power: float) -> float:
    with np.errstate(divide="ignore"):
        return float(np.mean(np.asarray(values) ** float(power)) ** (1 / power))
