"""Metrics on binary masks, from the pixels that truth and prediction mark and that both mark."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from mlebench.metrics.base import Measured, Metric, higher_is_better, mean_of, ratio_of

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
    """The pixel after the last one of each run."""

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
    """Those that the truth marks as well."""


def compare(
    true: Runs, predicted: Runs, sizes: NDArray[np.int64]
) -> tuple[TrueMasks, PredictedMasks]:
    """How much each mask marks, and how much of that is right.

    Args:
        sizes: the pixels of each row's picture.
    """
    hits = common_pixels(true, predicted, sizes)
    return (
        TrueMasks(true.pixels(len(sizes)), sizes),
        PredictedMasks(predicted.pixels(len(sizes)), hits),
    )


def common_pixels(true: Runs, predicted: Runs, sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """How many pixels both masks of a row mark."""
    if not len(true.rows):
        return np.zeros(len(sizes), np.int64)
    # All pictures are put one behind the other; floats are exact up to 2^53 pixels.
    first_pixels = (np.cumsum(sizes) - sizes).astype(float)
    edges, true_edges = (_edges(side, first_pixels) for side in (predicted, true))
    # The number of pixels that the truth marks before a pixel grows by one inside its runs.
    marked = np.zeros(len(true_edges))
    np.cumsum(true.ends - true.starts, out=marked[1::2])
    marked[2::2] = marked[1:-1:2]
    marked_before = np.interp(edges, true_edges, marked)
    return _sum_by_row(predicted.rows, marked_before[1::2] - marked_before[::2], len(sizes))


def _edges(runs: Runs, first_pixels: NDArray[np.float64]) -> NDArray[np.float64]:
    """Starts and ends of all runs, alternating."""
    edges = np.empty(2 * len(runs.rows))
    shifts = first_pixels.take(runs.rows)
    np.add(runs.starts, shifts, out=edges[::2])
    np.add(runs.ends, shifts, out=edges[1::2])
    return edges


def _sum_by_row(rows: NDArray[np.int64], values: NDArray[Any], row_count: int) -> NDArray[np.int64]:
    """The sum of the values of each row; the values of a row are consecutive."""
    sums = np.zeros(row_count, np.int64)
    if len(rows):
        firsts = np.append(0, np.flatnonzero(rows[1:] != rows[:-1]) + 1)
        sums[rows[firsts]] = np.add.reduceat(values, firsts)
    return sums


@higher_is_better
def mean_dice(y_true: TrueMasks, y_pred: PredictedMasks) -> Measured:
    """Mean over rows of 2·common / (true + predicted); 1 where both masks are empty."""
    both = y_true.pixels + y_pred.pixels
    return mean_of(np.where(both > 0, 2 * y_pred.hits / np.maximum(both, 1), 1.0))


def dice_of_masks(true: TrueMasks, predicted: PredictedMasks) -> NDArray[np.float64]:
    """The Dice coefficient of each row; NaN where both masks are empty."""
    both = true.pixels + predicted.pixels
    dice = np.full(len(both), np.nan)
    np.divide(2 * predicted.hits, both, out=dice, where=both > 0)
    return dice


@higher_is_better
def global_dice(y_true: TrueMasks, y_pred: PredictedMasks) -> Measured:
    """Dice coefficient over the pixels of all rows together; NaN if nothing is marked at all."""
    both = y_true.pixels + y_pred.pixels
    total = int(both.sum())
    score = float(2 * y_pred.hits.sum() / total) if total else float("nan")
    return ratio_of(2 * y_pred.hits, both, score)


def mean_f_beta(beta: float) -> Metric:
    """Mean over rows of the F-beta score of their pixels; 0 where no pixel is hit."""

    def f_beta(y_true: TrueMasks, y_pred: PredictedMasks) -> Measured:
        weighted = beta**2 * y_true.pixels + y_pred.pixels
        return mean_of((1 + beta**2) * y_pred.hits / np.maximum(weighted, 1))

    return Metric(f"mean_f{beta:g}_score", False, f_beta)


def iou_precision(
    thresholds: Sequence[float] | NDArray[np.float64], *, empty_means_full: bool = False
) -> Metric:
    """Mean over rows of the share of thresholds that the intersection over union exceeds.

    Args:
        empty_means_full: whether an empty prediction for a mask that is not empty counts as if
            the whole picture had been predicted.
    """

    def mean_iou_precision(y_true: TrueMasks, y_pred: PredictedMasks) -> Measured:
        common, predicted = y_pred.hits, y_pred.pixels
        if empty_means_full:
            is_missing = (predicted == 0) & (y_true.pixels > 0)
            common = np.where(is_missing, y_true.pixels, common)
            predicted = np.where(is_missing, y_true.sizes, predicted)
        union = y_true.pixels + predicted - common
        iou = np.where(union > 0, common / np.maximum(union, 1), 1.0)
        exceeded = np.array([iou > threshold for threshold in thresholds])
        score = float(np.mean([row.mean() for row in exceeded]))
        return mean_of(exceeded.mean(axis=0), score=score)

    return Metric("mean_iou_precision", False, mean_iou_precision)
