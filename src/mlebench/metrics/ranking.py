"""Metrics on the order that scores give to rows: areas under the ROC curve."""

from __future__ import annotations

from typing import Any

import numpy as np

from mlebench.metrics.base import higher_is_better


def _mid_ranks(values: Any) -> Any:
    """Ranks from 1, equal values sharing the mean of theirs."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return (last - (counts - 1) / 2)[inverse]


@higher_is_better
def roc_auc(y_true: Any, y_pred: Any) -> float:
    """Area under the ROC curve of scores against 0/1 labels; ties count half."""
    positive = np.asarray(y_true) == 1
    n_positive = int(positive.sum())
    n_negative = len(positive) - n_positive
    if not n_positive or not n_negative:
        raise ValueError("the area under the ROC curve needs both classes in the truth")
    rank_sum = _mid_ranks(np.asarray(y_pred, dtype=float))[positive].sum()
    return float((rank_sum - n_positive * (n_positive + 1) / 2) / (n_positive * n_negative))


@higher_is_better
def mean_column_roc_auc(y_true: Any, y_pred: Any) -> float:
    """Mean over columns of the area under the ROC curve."""
    truth, scores = np.asarray(y_true), np.asarray(y_pred, dtype=float)
    return float(np.mean([roc_auc(truth[:, k], scores[:, k]) for k in range(truth.shape[1])]))
