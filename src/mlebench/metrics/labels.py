"""Labels of a truth and a prediction, counted on all processors."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from mlebench.metrics.threads import on_blocks
from mlebench.native import FLOAT, FLOATS, INTS, SIZE, kernel

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

ROWS_AT_ONCE = 1 << 18
EXACT = 2.0**53
"""Up to here every whole number is a float."""

SIDES = (SIZE, FLOATS, FLOATS, FLOAT, SIZE)
_count_labels = kernel("count_labels", *SIDES, INTS)
_sum_squared_steps = kernel("sum_squared_steps", *SIDES, INTS, gives=FLOAT)


@dataclass(frozen=True)
class Labels:
    """Labels of two sides, all of them whole steps from the lowest."""

    truth: NDArray[Any]
    prediction: NDArray[Any]
    low: float
    span: int
    """The number of labels there could be, from the lowest to the highest."""

    def counts(self) -> NDArray[np.int64] | None:
        """Rows with each label: in the truth, in the prediction, in both at once.

        Nothing if some labels are no whole steps apart.
        """

        def count(*sides: Any) -> NDArray[np.int64] | None:
            counts = np.zeros((self.span, 3), np.int64)
            return counts if _count_labels(*sides, counts) == sides[0] else None

        total = np.zeros((self.span, 3), np.int64)
        for counts in self._on_blocks(count):
            if counts is None:
                return None
            total += counts
        return total

    def squared_steps(self, numbers: NDArray[np.int64]) -> float:
        """The sum over rows of the squared distance between the numbers that labels stand for."""
        return float(sum(self._on_blocks(lambda *sides: _sum_squared_steps(*sides, numbers))))

    def _on_blocks(self, work: Callable[..., Any]) -> Iterator[Any]:
        # With as many counters as rows, adding them up would take as long as counting.
        step = max(ROWS_AT_ONCE, 8 * self.span)

        def on_rows(first: int) -> Any:
            rows = slice(first, first + step)
            truth, prediction = _floats(self.truth[rows]), _floats(self.prediction[rows])
            return work(len(truth), truth, prediction, self.low, self.span)

        return on_blocks(on_rows, range(0, len(self.truth), step))


def counted(y_true: ArrayLike, y_pred: ArrayLike) -> tuple[Any, Labels]:
    """The counts of labels of any kind, and the labels: as they are, or their places."""
    import pandas as pd

    truth, prediction = np.asarray(y_true), np.asarray(y_pred)
    labels = _as_they_are(truth, prediction)
    if labels and (counts := labels.counts()) is not None:
        return counts, labels
    places, found = pd.factorize(np.concatenate([truth, prediction]), sort=True)
    labels = Labels(places[: len(truth)], places[len(truth) :], 0.0, len(found))
    return labels.counts(), labels


def _as_they_are(truth: NDArray[Any], prediction: NDArray[Any]) -> Labels | None:
    """Numbers that lie close together; whether they are whole is not looked at."""
    if not len(truth) or any(side.dtype.kind not in "iuf" for side in (truth, prediction)):
        return None
    bounds = [bound for side in (truth, prediction) for bound in _bounds(side)]
    low, high = min(bounds), max(bounds)
    if not (high - low < 2 * len(truth) and low > -EXACT and high < EXACT):
        return None
    return Labels(truth, prediction, low, int(high - low) + 1)


def _bounds(numbers: NDArray[Any]) -> tuple[float, float]:
    blocks = (numbers[k : k + ROWS_AT_ONCE] for k in range(0, len(numbers), ROWS_AT_ONCE))
    bounds = np.array(
        list(on_blocks(lambda block: (float(block.min()), float(block.max())), blocks))
    )
    return float(bounds[:, 0].min()), float(bounds[:, 1].max())


def _floats(numbers: NDArray[Any]) -> NDArray[np.float64]:
    return np.ascontiguousarray(numbers, dtype=float)
