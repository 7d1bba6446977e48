"""Metrics on numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from mlebench.metrics.base import lower_is_better


@lower_is_better
def root_mean_squared_error(y_true: Any, y_pred: Any) -> float:
    """Root of the mean squared difference."""
    difference = np.asarray(y_pred, dtype=float) - np.asarray(y_true, dtype=float)
    return float(np.sqrt(np.mean(difference**2)))
