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
class Runs:
    """Runs of marked pixels, mask after mask; those of a mask ascend and do not overlap."""

    rows: NDArray[np.int64]
    """The mask of each run."""

    starts: NDArray[np.int64]
    """The first pixel of each run, counted from 0."""

    ends: NDArray[np.int64]
    """The pixel behind the last one of each run."""

    def of_first_rows(self, count: int) -> Runs:
        """The runs of the first masks."""
        here = slice(0, int(np.searchsorted(self.rows, count)))
        return Runs(self.rows[here], self.starts[here], self.ends[here])

    def pixels(self, row_count: int) -> NDArray[np.int64]:
        """How many pixels each mask marks."""
        return _sum_by_row(self.rows, self.ends - self.starts, row_count)


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


def compare(
    true: Runs, predicted: Runs, sizes: NDArray[np.int64]
) -> tuple[TrueMasks, PredictedMasks]:
    """How much each mask marks, and how much of that is right.

    Args:
        sizes: the pixels of each row's picture.
    """
    count = len(sizes)
    hits = common_pixels(true, predicted, count)
    return TrueMasks(true.pixels(count), sizes), PredictedMasks(predicted.pixels(count), hits)


def common_pixels(true: Runs, predicted: Runs, row_count: int) -> NDArray[np.int64]:
    """How many pixels both masks of a row mark."""
    # All masks are put one behind the other, behind a run of no pixels.
    extents = np.zeros(row_count, np.int64)
    for side in (true, predicted):
        np.maximum.at(extents, side.rows, side.ends)
    first_pixels = np.cumsum(extents) - extents
    starts = np.append(0, true.starts + first_pixels[true.rows])
    lengths = np.append(0, true.ends - true.starts)
    marked = np.cumsum(lengths) - lengths

    def marked_before(pixels: NDArray[np.int64]) -> NDArray[np.int64]:
        last = np.searchsorted(starts, pixels, "right") - 1
        before: NDArray[np.int64] = marked[last] + np.minimum(pixels - starts[last], lengths[last])
        return before

    shifts = first_pixels[predicted.rows]
    common = marked_before(predicted.ends + shifts) - marked_before(predicted.starts + shifts)
    return _sum_by_row(predicted.rows, common, row_count)


def _sum_by_row(
    rows: NDArray[np.int64], values: NDArray[np.int64], row_count: int
) -> NDArray[np.int64]:
    sums = np.zeros(row_count, np.int64)
    np.add.at(sums, rows, values)
    return sums


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
