"""Metrics on class labels."""

from __future__ import annotations

from typing import Any

import numpy as np

from mlebench.metrics.base import higher_is_better


@higher_is_better
def accuracy(y_true: Any, y_pred: Any) -> float:
    """Share of exactly equal labels."""
    return float(np.mean(np.asarray(y_true) == np.asarray(y_pred)))
