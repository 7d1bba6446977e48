"""Metrics on predicted probabilities."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from mlebench.metrics.base import Measured, higher_is_better, lower_is_better, mean_of, ratio_of
from mlebench.metrics.means import mean_of_rows

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

EPSILON = float(np.finfo(float).eps)
TINY = 1e-15


@lower_is_better
def multi_class_log_loss(y_true: ArrayLike, y_pred: ArrayLike) -> Measured:
    """Mean of −ln(p) of the true class (0/1 columns); p is clipped to [ε, 1 − ε]."""
    truth, predicted = np.asarray(y_true), np.asarray(y_pred, dtype=float)

    def logarithms(rows: slice) -> Any:
        right, here = truth[rows].argmax(axis=1), predicted[rows]
        return -np.log(np.clip(here[np.arange(len(here)), right], EPSILON, 1 - EPSILON))

    return mean_of_rows(logarithms, len(truth))


@lower_is_better
def binary_log_loss(y_true: ArrayLike, y_pred: ArrayLike) -> Measured:
    """Mean of −ln(p) where the truth is 1, −ln(1 − p) where it is 0, each clipped to [ε, 1 − ε]."""
    truth, predicted = np.ravel(y_true), np.asarray(y_pred, dtype=float).ravel()

    def logarithms(rows: slice) -> Any:
        of_truth = np.where(truth[rows] == 1, predicted[rows], 1 - predicted[rows])
        return -np.log(np.clip(of_truth, EPSILON, 1 - EPSILON))

    return mean_of_rows(logarithms, len(truth))


@lower_is_better
def kullback_leibler_divergence(y_true: ArrayLike, y_pred: ArrayLike) -> Measured:
    """Mean over rows of Σ t·ln(t / p) over t > 0, with p clipped to [1e-15, 1 − 1e-15]."""
    truth = np.asarray(y_true, dtype=float)
    predicted = np.clip(np.asarray(y_pred, dtype=float), TINY, 1 - TINY)
    ratio = np.divide(truth, predicted, out=np.ones_like(predicted), where=truth > 0)
    return mean_of(np.sum(truth * np.log(ratio), axis=1))


@lower_is_better
def mean_weighted_log_loss(y_true: ArrayLike, y_pred: ArrayLike) -> Measured:
    """Mean over groups of the weighted mean log loss, with p clipped to [1e-15, 1 − 1e-15].

    The truth has three columns: 0/1 label, weight, number of the group (from 0, without a gap).
    """
    label, weight, group = np.asarray(y_true, dtype=float).T
    predicted = np.clip(np.asarray(y_pred, dtype=float), TINY, 1 - TINY)
    loss = -np.log(np.where(label == 1, predicted, 1 - predicted))
    groups = group.astype(int)
    weights = np.bincount(groups, weight)
    losses = np.bincount(groups, loss * weight) / weights
    return mean_of(losses, unit="study")


@higher_is_better
def probabilistic_f1(y_true: ArrayLike, y_pred: ArrayLike) -> Measured:
    """F1 with probabilities, cut to [0, 1], in place of counts; 0 if nothing true is predicted."""
    is_positive = np.asarray(y_true) == 1
    predicted = np.clip(np.asarray(y_pred, dtype=float), 0, 1)
    hits = predicted[is_positive].sum()
    score = 0.0
    if hits > 0:
        precision, recall = hits / predicted.sum(), hits / is_positive.sum()
        score = float(2 * precision * recall / (precision + recall))
    return ratio_of(2 * predicted * is_positive, predicted + is_positive, score)


@higher_is_better
def label_weighted_ranking_average_precision(y_true: ArrayLike, y_pred: ArrayLike) -> Measured:
    """Mean over all true labels of: true labels ranked at least as high / all labels ranked so."""
    # Row by row in memory, since whole rows are taken.
    is_true = np.ascontiguousarray(np.asarray(y_true) == 1)
    scores = np.ascontiguousarray(y_pred, dtype=float)
    rows, labels = np.nonzero(is_true)
    ranked_so = scores[rows] >= scores[rows, labels][:, np.newaxis]
    hits = (ranked_so & is_true[rows]).sum(axis=1)
    precisions = hits / ranked_so.sum(axis=1)
    sums = np.bincount(rows, precisions, len(is_true))
    return ratio_of(sums, is_true.sum(axis=1), float(np.mean(precisions)))
