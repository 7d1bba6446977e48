"""Metrics on the order that scores give to rows: areas under the ROC curve."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from mlebench.metrics.base import Metric, higher_is_better


def mid_ranks(values: Any) -> Any:
    """Ranks from 1, equal values sharing the mean of theirs."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return (last - (counts - 1) / 2)[inverse]


@higher_is_better
def roc_auc(y_true: Any, y_pred: Any) -> float:
    """Area under the ROC curve of scores against 0/1 labels; ties half, no number for one class."""
    positive, scores = np.asarray(y_true) == 1, np.asarray(y_pred, dtype=float)
    # Two sorts of values cost a tenth of ranking all rows.
    above, below = np.sort(scores[positive]), np.sort(scores[~positive])
    if not len(above) or not len(below):
        return math.nan
    beaten = np.searchsorted(below, above, "left") + np.searchsorted(below, above, "right")
    return float(beaten.sum() / 2 / (len(above) * len(below)))


@higher_is_better
def mean_column_roc_auc(y_true: Any, y_pred: Any) -> float:
    """Mean over columns of the area under the ROC curve."""
    truth, scores = np.asarray(y_true), np.asarray(y_pred, dtype=float)
    return float(np.mean([roc_auc(truth[:, k], scores[:, k]) for k in range(truth.shape[1])]))


def weighted_roc_auc(*, cuts: Sequence[float], weights: Sequence[float]) -> Metric:
    """Area under the ROC curve whose bands of height, between the cuts, weigh differently."""
    bands = list(zip([0.0, *cuts], [*cuts, 1.0], weights, strict=True))

    @higher_is_better
    def weighted_roc_auc(y_true: Any, y_pred: Any) -> float:
        false_rate, true_rate = _roc_curve(y_true, y_pred)
        area = sum(
            weight * _area_between(false_rate, true_rate, low, high) for low, high, weight in bands
        )
        return area / sum(weight * (high - low) for low, high, weight in bands)

    return weighted_roc_auc


def _roc_curve(y_true: Any, y_pred: Any) -> tuple[Any, Any]:
    """False and true positive rates at each distinct score, from the highest down, from (0, 0)."""
    positive = np.asarray(y_true) == 1
    scores, inverse = np.unique(np.asarray(y_pred, dtype=float), return_inverse=True)
    counts = [np.bincount(inverse[part], minlength=len(scores)) for part in (~positive, positive)]
    with np.errstate(invalid="ignore"):  # one class only: no curve, and so no number
        rates = [np.concatenate([[0.0], np.cumsum(n[::-1]) / n.sum()]) for n in counts]
    return rates[0], rates[1]


def _area_between(x: Any, y: Any, low: float, high: float) -> float:
    """Area under a rising polyline that lies between two heights."""
    for height in (low, high):
        at = int(np.searchsorted(y, height))
        # A corner where the line crosses the height keeps the trapezoids exact.
        if 0 < at < len(y) and y[at] != height:
            share = (height - y[at - 1]) / (y[at] - y[at - 1])
            x = np.insert(x, at, x[at - 1] + share * (x[at] - x[at - 1]))
            y = np.insert(y, at, height)
    clipped = np.clip(y, low, high) - low
    return float(np.sum(np.diff(x) * (clipped[1:] + clipped[:-1])) / 2)


@higher_is_better
def bias_roc_auc(y_true: Any, y_pred: Any) -> float:
    """A quarter each of the AUC of all rows and of three power means over groups of people.

    The truth has the label and then one column per group that a row may mention. Everything, the
    predictions too, is cut to 0/1 at one half first; gaps are 0.
    """
    truth, predicted = np.asarray(y_true, dtype=float) >= 0.5, np.asarray(y_pred) >= 0.5
    label, groups = truth[:, 0], truth[:, 1:].T
    subsets = (
        list(groups),
        [group != label for group in groups],
        [group == label for group in groups],
    )
    overall = _balanced_accuracy(label, predicted)
    means = [
        _power_mean([_balanced_accuracy(label[rows], predicted[rows]) for rows in kind], -5)
        for kind in subsets
    ]
    return (overall + sum(means)) / 4


def _balanced_accuracy(label: Any, predicted: Any) -> float:
    """The area under the ROC curve of yes/no predictions."""
    hits, all_positive = int(predicted[label].sum()), int(label.sum())
    alarms, all_negative = int(predicted[~label].sum()), int((~label).sum())
    if not all_positive or not all_negative:
        return math.nan
    return (hits / all_positive + 1 - alarms / all_negative) / 2


def _power_mean(values: Sequence[float], power: float) -> float:
    with np.errstate(divide="ignore"):
        return float(np.mean(np.asarray(values) ** float(power)) ** (1 / power))
