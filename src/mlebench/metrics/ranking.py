"""Metrics on the order that scores give to rows: areas under the ROC curve."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from mlebench.metrics.base import Metric, higher_is_better

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Floats: TypeAlias = NDArray[np.float64]


@higher_is_better
def roc_auc(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """Area under the ROC curve of scores against 0/1 labels; ties half, no number for one class."""
    below, above = _sorted_by_class(y_true, y_pred)
    if not len(above) or not len(below):
        return math.nan
    # The negative rows that each positive one beats, and once more with its ties.
    beaten = sum(np.searchsorted(below, above, side).sum() for side in ("left", "right"))
    return float(beaten / 2 / (len(above) * len(below)))


def _sorted_by_class(y_true: ArrayLike, y_pred: ArrayLike) -> tuple[Floats, Floats]:
    """The scores of the negative rows and those of the positive ones."""
    is_positive, scores = np.asarray(y_true) == 1, np.asarray(y_pred, dtype=float)
    return np.sort(scores[~is_positive]), np.sort(scores[is_positive])


@higher_is_better
def mean_column_roc_auc(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """Mean over columns of the area under the ROC curve."""
    truth, scores = np.asarray(y_true), np.asarray(y_pred, dtype=float)
    return float(np.mean([roc_auc(truth[:, k], scores[:, k]) for k in range(truth.shape[1])]))


def weighted_roc_auc(*, cuts: Sequence[float], weights: Sequence[float]) -> Metric:
    """Area under the ROC curve whose bands of height, between the cuts, weigh differently."""
    bands = list(zip([0.0, *cuts], [*cuts, 1.0], weights, strict=True))

    @higher_is_better
    def weighted_roc_auc(y_true: ArrayLike, y_pred: ArrayLike) -> float:
        below, above = _sorted_by_class(y_true, y_pred)
        if not len(above) or not len(below):
            return math.nan
        rises = _rises(above, below)
        area = sum(weight * _area_between(low, high, *rises) for low, high, weight in bands)
        return float(area / sum(weight * (high - low) for low, high, weight in bands))

    return weighted_roc_auc


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


def _area_between(
    bottom: float, top: float, low: Floats, high: Floats, at_low: Floats, at_high: Floats
) -> float:
    """Area right of rising stretches, within a band of height."""
    start, end = np.clip(low, bottom, top), np.clip(high, bottom, top)
    middle = ((start + end) / 2 - low) / (high - low)
    return float(np.sum((end - start) * (at_low + middle * (at_high - at_low))))


@higher_is_better
def bias_roc_auc(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """A quarter each of the AUC of all rows and of three power means over groups of people.

    The truth has the label and then one column per group that a row may mention. Everything, the
    predictions too, is cut to 0/1 at one half first; gaps are 0.
    """
    return _mean_over_groups(y_true, np.asarray(y_pred) >= 0.5, _balanced_accuracy)


@higher_is_better
def bias_ranking_auc(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """The same, where the predictions are ranked and only the truth is cut."""
    return _mean_over_groups(y_true, np.asarray(y_pred, dtype=float), roc_auc)


def _mean_over_groups(
    y_true: ArrayLike, predicted: NDArray[Any], auc: Callable[[Any, Any], float]
) -> float:
    truth = np.asarray(y_true, dtype=float) >= 0.5
    label, groups = truth[:, 0], truth[:, 1:].T
    subsets = (
        list(groups),
        [group != label for group in groups],
        [group == label for group in groups],
    )
    means = [
        _power_mean([auc(label[rows], predicted[rows]) for rows in kind], -5) for kind in subsets
    ]
    return (auc(label, predicted) + sum(means)) / 4


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
