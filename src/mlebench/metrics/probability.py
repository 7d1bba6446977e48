"""Metrics on predicted probabilities."""

from __future__ import annotations

from typing import Any

import numpy as np

from mlebench.metrics.base import lower_is_better

EPSILON = float(np.finfo(float).eps)


@lower_is_better
def multi_class_log_loss(y_true: Any, y_pred: Any) -> float:
    """Mean of −ln(p) of the true class (0/1 columns); p is clipped to [ε, 1 − ε]."""
    truth = np.asarray(y_true)
    of_true_class = np.asarray(y_pred, dtype=float)[np.arange(len(truth)), truth.argmax(axis=1)]
    return float(-np.log(np.clip(of_true_class, EPSILON, 1 - EPSILON)).mean())


@lower_is_better
def binary_log_loss(y_true: Any, y_pred: Any) -> float:
    """Mean of −ln(p) where the truth is 1, −ln(1 − p) where it is 0, each clipped to [ε, 1 − ε]."""
    predicted = np.asarray(y_pred, dtype=float)
    of_truth = np.where(np.asarray(y_true) == 1, predicted, 1 - predicted)
    return float(-np.log(np.clip(of_truth, EPSILON, 1 - EPSILON)).mean())
