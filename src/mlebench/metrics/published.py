"""Metrics under the names and with the arguments that importers of the published package use."""

from __future__ import annotations

import math
from collections.abc import Sequence, Set
from typing import Any

import numpy as np
from numpy.typing import ArrayLike


def average_precision_at_k(actual: Set[Any], predicted: Sequence[Any], k: int) -> float:
    """The mean, over the true items, of the precision at each first hit among `k` predictions."""
    if not actual:
        return 0.0
    hits, total = set[Any](), 0.0
    for place, item in enumerate(predicted[:k], 1):
        if item in actual and item not in hits:
            hits.add(item)
            total += len(hits) / place
    return total / min(len(actual), k)


def mean_average_precision_at_k(
    actual: Sequence[Set[Any]], predicted: Sequence[Sequence[Any]], k: int
) -> float:
    """The mean of `average_precision_at_k` over pairs of truth and prediction."""
    pairs = zip(actual, predicted, strict=True)
    return float(np.mean([average_precision_at_k(truth, items, k) for truth, items in pairs]))


def dice_coefficient(
    predicted_mask: ArrayLike, true_mask: ArrayLike, both_empty_value: float = math.nan
) -> float:
    """Twice the common area of two masks, divided by the sum of their areas."""
    predicted, true = np.asarray(predicted_mask, bool), np.asarray(true_mask, bool)
    if predicted.shape != true.shape:
        raise ValueError(f"the masks have the shapes {predicted.shape} and {true.shape}")
    area = int(predicted.sum()) + int(true.sum())
    return 2 * int((predicted & true).sum()) / area if area else both_empty_value
