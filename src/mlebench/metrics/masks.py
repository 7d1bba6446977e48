"""Metrics on binary masks, from the pixels that truth and prediction mark and that both mark."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mlebench.metrics.base import Metric, higher_is_better

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True)
class TrueMasks:
    """What the truth marks."""

    pixels: NDArray[np.int64]
    """Marked pixels of each row."""

    sizes: NDArray[np.int64]
    """Pixels of each row's picture."""


@dataclass(frozen=True)
class PredictedMasks:
    """What a prediction marks."""

    pixels: NDArray[np.int64]
    """Marked pixels of each row."""

    hits: NDArray[np.int64]
    """Those that the truth marks, too."""


@higher_is_better
def mean_dice(y_true: TrueMasks, y_pred: PredictedMasks) -> float:
    """Mean over rows of 2·common / (true + predicted); 1 where both masks are empty."""
    both = y_true.pixels + y_pred.pixels
    return float(np.where(both > 0, 2 * y_pred.hits / np.maximum(both, 1), 1.0).mean())


@higher_is_better
def mean_dice_of_marked(y_true: TrueMasks, y_pred: PredictedMasks) -> float:
    """Mean Dice over the rows where either mask is not empty; not a number if there are none."""
    both = y_true.pixels + y_pred.pixels
    dice = 2 * y_pred.hits[both > 0] / both[both > 0]
    return float(dice.mean()) if len(dice) else float("nan")


@higher_is_better
def global_dice(y_true: TrueMasks, y_pred: PredictedMasks) -> float:
    """Dice over the pixels of all rows together; not a number when nothing is marked at all."""
    both = int(y_true.pixels.sum() + y_pred.pixels.sum())
    return float(2 * y_pred.hits.sum() / both) if both else float("nan")


def mean_f_beta(beta: float) -> Metric:
    """Mean over rows of the F-beta score of their pixels; 0 where no pixel is hit."""

    def f_beta(y_true: TrueMasks, y_pred: PredictedMasks) -> float:
        weighted = beta**2 * y_true.pixels + y_pred.pixels
        return float(((1 + beta**2) * y_pred.hits / np.maximum(weighted, 1)).mean())

    return Metric(f"mean_f{beta:g}_score", False, f_beta)


def iou_precision(
    thresholds: Sequence[float] | NDArray[np.float64], *, empty_means_full: bool = False
) -> Metric:
    """Mean over rows of the share of thresholds that the intersection over union exceeds.

    Args:
        empty_means_full: whether an empty prediction for a mask that is not empty counts as if
            the whole picture had been predicted.
    """

    def mean_iou_precision(y_true: TrueMasks, y_pred: PredictedMasks) -> float:
        common, predicted = y_pred.hits, y_pred.pixels
        if empty_means_full:
            is_missing = (predicted == 0) & (y_true.pixels > 0)
            common = np.where(is_missing, y_true.pixels, common)
            predicted = np.where(is_missing, y_true.sizes, predicted)
        union = y_true.pixels + predicted - common
        iou = np.where(union > 0, common / np.maximum(union, 1), 1.0)
        exceeded = [(iou > threshold).mean() for threshold in thresholds]
        return float(np.mean(exceeded))

    return Metric("mean_iou_precision", False, mean_iou_precision)
