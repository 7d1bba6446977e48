"""Metrics on binary masks, kept as runs of pixels and compared without drawing any picture."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from mlebench.metrics.base import Metric, higher_is_better
from mlebench.metrics.threads import on_blocks

_LOW_BYTE = 0 if sys.byteorder == "little" else 7


@dataclass(frozen=True)
class Masks:
    """One mask a row, each as runs of pixel numbers from 0, ascending and free of overlap."""

    starts: Any
    ends: Any
    """The pixel after the last of each run."""

    first_run: Any
    """Where each row's runs begin, and at the end how many there are."""

    sizes: Any = None
    """Pixels of each row's picture, once the masks were cut to it."""

    def __len__(self) -> int:
        return len(self.first_run) - 1

    def __getitem__(self, order: Any) -> Masks:
        """The rows at these positions, in this order."""
        if np.array_equal(order, np.arange(len(self))):
            return self
        counts = np.diff(self.first_run)[order]
        first_run = sums_before(counts)
        source = np.arange(first_run[-1]) + np.repeat(
            self.first_run[:-1][order] - first_run[:-1], counts
        )
        sizes = None if self.sizes is None else self.sizes[order]
        return Masks(self.starts[source], self.ends[source], first_run, sizes)

    def part(self, first: int, last: int) -> Masks:
        """The rows from the first to before the last."""
        runs = slice(self.first_run[first], self.first_run[last])
        first_run = self.first_run[first : last + 1] - runs.start
        return Masks(self.starts[runs], self.ends[runs], first_run, self.sizes[first:last])

    def cut(self, sizes: Any) -> Masks:
        """Drop what lies past the last pixel of each picture."""
        if not len(self.ends) or self.ends.max() <= np.min(sizes) or self._fits(sizes):
            return replace(self, sizes=np.asarray(sizes))
        of_run = np.repeat(sizes, np.diff(self.first_run))
        inside = self.starts < of_run
        cut = replace(self, ends=np.minimum(self.ends, of_run), sizes=np.asarray(sizes))
        if inside.all():
            return cut
        first_run = sums_before(inside)[self.first_run]
        return Masks(cut.starts[inside], cut.ends[inside], first_run, cut.sizes)

    def _fits(self, sizes: Any) -> bool:
        is_marked = np.diff(self.first_run) > 0
        largest = np.maximum.reduceat(self.ends, self.first_run[:-1][is_marked])
        return bool((largest <= np.asarray(sizes)[is_marked]).all())

    def begins_before(self, limits: Any) -> Any:
        """For each run: does it begin before the limit of the run before it in its row?"""
        begins = np.zeros(len(self.starts), dtype=bool)
        np.less(self.starts[1:], limits[:-1], out=begins[1:])
        begins[self.first_run[:-1][np.diff(self.first_run) > 0]] = False
        return begins

    def joined(self, group_of_row: Any, groups: int) -> Masks:
        """One mask for each group of rows, which marks what any of them marks."""
        sizes = np.zeros(groups, dtype=np.int64)
        sizes[group_of_row] = self.sizes
        # Pictures behind each other: what an earlier run reached is not marked once more.
        counts = np.diff(self.first_run)
        picture_starts = np.repeat(sums_before(sizes)[group_of_row], counts)
        order = np.argsort(self.starts + picture_starts, kind="stable")
        picture_starts, ends = picture_starts[order], self.ends[order]
        reached = np.maximum.accumulate(np.concatenate([[0], (ends + picture_starts)[:-1]]))
        starts = np.maximum(self.starts[order], reached - picture_starts)
        is_new = starts < ends
        counts = np.bincount(np.repeat(group_of_row, counts)[order[is_new]], minlength=groups)
        return Masks(starts[is_new], ends[is_new], sums_before(counts), sizes)

    def pixels(self) -> tuple[Any, Any]:
        """Row and number of every marked pixel."""
        lengths = self.ends - self.starts
        rows = np.repeat(np.repeat(np.arange(len(self)), np.diff(self.first_run)), lengths)
        return rows, np.arange(len(rows)) + np.repeat(
            self.starts - sums_before(lengths)[:-1], lengths
        )

    def areas(self) -> Any:
        """Marked pixels of each row."""
        return self.sum_by_row(self.ends - self.starts)

    def sum_by_row(self, of_runs: Any) -> Any:
        """Add up a value of each run."""
        return np.diff(sums_before(of_runs)[self.first_run])

    def edges(self) -> Any:
        """Start, end, start, end … of all runs when the pictures lie behind each other.

        Each is twice its place, and one more for a start.
        """
        picture_starts = np.repeat(2 * sums_before(self.sizes)[:-1], np.diff(self.first_run))
        edges = np.empty((len(self.starts), 2), dtype=np.int64)
        edges[:, 0] = 2 * self.starts + picture_starts + 1
        edges[:, 1] = 2 * self.ends + picture_starts
        return edges.ravel()


def sums_before(counts: Any) -> Any:
    """The sum of all counts before each one, and at the end the sum of all."""
    sums = np.zeros(len(counts) + 1, dtype=np.int64)
    np.cumsum(counts, out=sums[1:])
    return sums


def common_areas(first: Masks, second: Masks) -> Any:
    """Pixels that are marked in both masks of a row; both are cut to the same sizes."""
    edges = np.concatenate([first.edges(), second.edges()])
    edges.sort(kind="stable")  # which merges what is sorted already
    is_start = edges.view(np.int8)[_LOW_BYTE::8] & 1
    # As runs of one mask do not overlap, two open runs are one of either, from a start to an end.
    both_open = np.flatnonzero(np.cumsum(2 * is_start - 1, dtype=np.int8) == 2)
    lengths = (edges[both_open + 1] - edges[both_open] + 1) >> 1
    rows = np.searchsorted(both_open, 2 * (first.first_run + second.first_run))
    return np.diff(sums_before(lengths)[rows])


@dataclass(frozen=True)
class Areas:
    """Pixels of each row: marked in the truth, in the prediction, in both; and of the picture."""

    true: Any
    predicted: Any
    common: Any
    sizes: Any


def measure(y_true: Sequence[Masks], y_pred: Sequence[Masks]) -> Areas:
    """The areas of all rows; both sides come in blocks of the same rows."""

    def of_block(masks: tuple[Masks, Masks]) -> tuple[Any, Any, Any, Any]:
        true, predicted = masks
        if true is predicted:
            return (true.areas(),) * 3 + (true.sizes,)
        return true.areas(), predicted.areas(), common_areas(true, predicted), true.sizes

    areas = list(on_blocks(of_block, zip(y_true, y_pred, strict=True)))
    return Areas(*np.concatenate([np.zeros((4, 0), dtype=np.int64), *areas], axis=1))


@higher_is_better
def mean_dice(y_true: Sequence[Masks], y_pred: Sequence[Masks]) -> float:
    """Mean over rows of 2·common / (true + predicted); 1 where both masks are empty."""
    areas = measure(y_true, y_pred)
    both = areas.true + areas.predicted
    return float(np.where(both > 0, 2 * areas.common / np.maximum(both, 1), 1.0).mean())


@higher_is_better
def mean_dice_of_marked(y_true: Sequence[Masks], y_pred: Sequence[Masks]) -> float:
    """Mean Dice over the rows where either mask is not empty; not a number if there are none."""
    areas = measure(y_true, y_pred)
    both = areas.true + areas.predicted
    dice = 2 * areas.common[both > 0] / both[both > 0]
    return float(dice.mean()) if len(dice) else float("nan")


@higher_is_better
def global_dice(y_true: Sequence[Masks], y_pred: Sequence[Masks]) -> float:
    """Dice over the pixels of all rows together; not a number when nothing is marked at all."""
    areas = measure(y_true, y_pred)
    both = int(areas.true.sum() + areas.predicted.sum())
    return float(2 * areas.common.sum() / both) if both else float("nan")


def mean_f_beta(beta: float) -> Metric:
    """Mean over rows of the F-beta score of their pixels; 0 where no pixel is hit."""

    def f_beta(y_true: Sequence[Masks], y_pred: Sequence[Masks]) -> float:
        areas = measure(y_true, y_pred)
        weighted = beta**2 * areas.true + areas.predicted
        return float(((1 + beta**2) * areas.common / np.maximum(weighted, 1)).mean())

    return Metric(f"mean_f{beta:g}_score", False, f_beta)


def iou_precision(thresholds: Any, *, empty_means_full: bool = False) -> Metric:
    """Mean over rows of the share of thresholds that the intersection over union exceeds.

    Args:
        empty_means_full: whether an empty prediction for a mask that is not empty counts as if
            the whole picture had been predicted.
    """

    def mean_iou_precision(y_true: Sequence[Masks], y_pred: Sequence[Masks]) -> float:
        areas = measure(y_true, y_pred)
        common, predicted = areas.common, areas.predicted
        if empty_means_full:
            is_missing = (predicted == 0) & (areas.true > 0)
            common = np.where(is_missing, areas.true, common)
            predicted = np.where(is_missing, areas.sizes, predicted)
        union = areas.true + predicted - common
        iou = np.where(union > 0, common / np.maximum(union, 1), 1.0)
        exceeded = [(iou > threshold).mean() for threshold in thresholds]
        return float(np.mean(exceeded))

    return Metric("mean_iou_precision", False, mean_iou_precision)


def hausdorff_distance(true: Any, predicted: Any, scale: Any) -> float:
    """The farthest that a point of one set lies from the other set, both ways.

    Args:
        true, predicted: whole coordinates, a row per point; neither is empty.
        scale: what a step along each axis measures.
    """
    from scipy.spatial import KDTree

    # A box around both sets with a free layer on every side, all places in one row.
    low = np.minimum(true.min(axis=0), predicted.min(axis=0)) - 1
    shape = np.maximum(true.max(axis=0), predicted.max(axis=0)) - low + 2
    places = [np.ravel_multi_index((points - low).T, shape) for points in (true, predicted)]
    is_marked = np.zeros((2, shape.prod()), dtype=bool)
    for marks, place in zip(is_marked, places, strict=True):
        marks[place] = True

    def points(place: Any) -> Any:
        return np.stack(np.unravel_index(place, shape), axis=1) * scale

    farthest = 0.0
    for here, there in ((0, 1), (1, 0)):
        only_here = places[here][~is_marked[there][places[here]]]
        if len(only_here):
            surface = places[there][~_is_inside(is_marked[there], places[there], shape)]
            distances, _ = KDTree(points(surface)).query(points(only_here))
            farthest = max(farthest, float(distances.max()))
    return farthest


def _is_inside(is_marked: Any, place: Any, shape: Any) -> Any:
    """Whether all next neighbours are marked: no point outside has such a place for its nearest."""
    inside = np.ones(len(place), dtype=bool)
    for axis in range(len(shape)):
        step = int(shape[axis + 1 :].prod())
        inside &= is_marked[place - step] & is_marked[place + step]
    return inside
