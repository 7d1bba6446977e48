"""Average precision of upright boxes in space, each `x y z width length height yaw`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from mlebench.errors import InvalidSubmissionError
from mlebench.metrics.base import Metric
from mlebench.metrics.boxes import BOXES, Boxes, Side, on_rows
from mlebench.native import FLOATS, SIZE, kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

POSSIBLE, NO_MEMORY = -1, -2

_precisions_3d = kernel("precisions_3d", SIZE, *BOXES, *BOXES, FLOATS, SIZE, FLOATS)


def mean_average_precision_3d(thresholds: Sequence[float]) -> Metric:
    """Mean over rows and thresholds of the mean average precision over the row's true classes.

    By falling confidence each prediction takes the true box of its class that it overlaps most; it
    hits when the overlap exceeds the threshold and nobody took that box before. Predictions of a
    class that the row does not have are ignored.
    """
    levels = np.array(thresholds, dtype=float)

    def function(y_true: Side, y_pred: Side) -> float:
        def work(true: Boxes, predicted: Boxes) -> NDArray[np.float64]:
            means = np.empty((len(true), len(levels)))
            sides = *true.sides, *predicted.sides, levels, len(levels), means
            _refuse_impossible(predicted, _precisions_3d(len(true), *sides))
            return means

        means = np.concatenate(on_rows(work, y_true, y_pred))
        return float(means.sum(axis=1).mean() / len(levels))

    return Metric("mean_average_precision_3d", False, function)


def _refuse_impossible(boxes: Boxes, box: int) -> None:
    """Places are numbers, sizes positive, and corners right angles as far as floats can tell."""
    if box == NO_MEMORY:
        raise MemoryError("no memory to match boxes")
    if box != POSSIBLE:
        place = " ".join(f"{number:g}" for number in boxes.numbers[box, 1:])
        raise InvalidSubmissionError(
            f"a box is {place!r}, expected x y z width length height yaw with sizes above 0"
        )
