"""Metrics on class labels, one label a row."""

from __future__ import annotations

from typing import Any

import numpy as np

from mlebench.metrics.base import higher_is_better, lower_is_better


@higher_is_better
def accuracy(y_true: Any, y_pred: Any) -> float:
    """Share of exactly equal labels."""
    # Two columns of text are compared as pandas stores them, without an object for each cell.
    if isinstance(y_true, list) or type(y_true) is not type(y_pred):
        y_true, y_pred = np.asarray(y_true), np.asarray(y_pred)
    return float(np.mean(np.asarray(y_true == y_pred)))


@lower_is_better
def top_1_error(y_true: Any, y_pred: Any) -> float:
    """Share of labels that are not equal."""
    return 1 - accuracy(y_true, y_pred)


@higher_is_better
def micro_f1(y_true: Any, y_pred: Any) -> float:
    """F1 over all rows: a wrong label is one miss and one false alarm, so this is the accuracy."""
    return accuracy(y_true, y_pred)


@higher_is_better
def macro_f1(y_true: Any, y_pred: Any) -> float:
    """Mean of 2·TP / (2·TP + FP + FN) over every class found in the truth or the prediction."""
    truth, prediction, classes = _numbered(y_true, y_pred)
    hits = np.bincount(truth[truth == prediction], minlength=classes)
    true_count = np.bincount(truth, minlength=classes)
    predicted_count = np.bincount(prediction, minlength=classes)
    return float(np.mean(2 * hits / (true_count + predicted_count)))


@higher_is_better
def quadratic_kappa(y_true: Any, y_pred: Any) -> float:
    """Cohen's kappa with quadratic weights; a label's place among all found counts, not its value.

    Disagreement and its expectation are sums over rows, so no matrix of all labels is built.
    """
    truth, prediction, _ = _numbered(y_true, y_pred)
    truth, prediction = truth.astype(float), prediction.astype(float)
    observed = len(truth) * np.sum((truth - prediction) ** 2)
    squares = np.sum(truth**2) + np.sum(prediction**2)
    expected = len(truth) * squares - 2 * truth.sum() * prediction.sum()
    return float(1 - observed / expected) if expected else float("nan")


@higher_is_better
def matthews_correlation(y_true: Any, y_pred: Any) -> float:
    """Correlation of two labellings, for any number of classes; 0 when either side is constant."""
    truth, prediction, classes = _numbered(y_true, y_pred)
    true_count = np.bincount(truth, minlength=classes).astype(float)
    predicted_count = np.bincount(prediction, minlength=classes).astype(float)
    rows = float(len(truth))
    covariance = np.sum(truth == prediction) * rows - true_count @ predicted_count
    true_spread = rows**2 - true_count @ true_count
    predicted_spread = rows**2 - predicted_count @ predicted_count
    if not true_spread or not predicted_spread:
        return 0.0
    return float(covariance / np.sqrt(true_spread * predicted_spread))


def _numbered(y_true: Any, y_pred: Any) -> tuple[Any, Any, int]:
    """Both sides with each label replaced by its place among all labels found, and their number."""
    import pandas as pd

    both = np.concatenate([np.asarray(y_true), np.asarray(y_pred)])
    codes, count = _counted(both)
    if codes is None:
        codes, labels = pd.factorize(both, sort=True)
        count = len(labels)
    return codes[: len(y_true)], codes[len(y_true) :], count


def _counted(labels: Any) -> tuple[Any, int]:
    """The places of whole numbers that lie close together: counting is faster than hashing."""
    if labels.dtype.kind not in "iuf" or not len(labels):
        return None, 0
    low, high = float(labels.min()), float(labels.max())
    if not high - low < len(labels):
        return None, 0
    steps = (labels - low).astype(np.int64)
    if not np.array_equal(steps + low, labels):
        return None, 0
    is_found = np.bincount(steps) > 0
    return (np.cumsum(is_found) - 1)[steps], int(is_found.sum())
