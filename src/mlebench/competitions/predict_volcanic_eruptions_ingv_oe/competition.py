"""Volcanic eruptions: the time until the next one, from ten minutes of ten seismic sensors."""

import math
from typing import Any

from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats import RepeatableRows
from mlebench.formats.values import converted_numbers
from mlebench.metrics import Measured, lower_is_better, mean_absolute_error
from mlebench.recipes import Files, LabelSplit, Recipe

rows = RepeatableRows(id="segment_id", target="time_to_eruption", odd_values=converted_numbers)


@lower_is_better
def whole_mean_absolute_error(y_true: Any, y_pred: Any) -> Measured:
    """Mean absolute error, rounded to a whole number (half to even)."""
    error = mean_absolute_error.measure(y_true, y_pred)
    is_number = math.isfinite(error.score)
    return error.mapped(float(round(error.score)) if is_number else error.score, 1)


competition = CompetitionDefinition(
    id="predict-volcanic-eruptions-ingv-oe",
    title="INGV - Volcanic Eruption Prediction",
    category="Signal Processing",
    complexity="high",
    prepare=Recipe(LabelSplit(rows), Files("train/{}.csv", rows.id)),
    submission=rows,
    metric=whole_mean_absolute_error,
    rounding="python",
    official_sample_score=24_402_200,
    faults=(
        Fault("a segment that occurs several times counts each time"),
        Fault("the score is rounded to a whole number"),
    ),
)
