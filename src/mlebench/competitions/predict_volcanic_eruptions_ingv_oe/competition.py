"""Volcanic eruptions: the time until the next one, from ten minutes of ten seismic sensors."""

import math
from typing import Any

from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats import RepeatableRows
from mlebench.formats.values import converted_numbers
from mlebench.metrics import lower_is_better, mean_absolute_error
from mlebench.recipes import Files, LabelSplit, Recipe

rows = RepeatableRows(id="segment_id", target="time_to_eruption", odd_values=converted_numbers)


@lower_is_better
def whole_mean_absolute_error(y_true: Any, y_pred: Any) -> float:
    """Mean absolute error, rounded to a whole number (a half to the even one)."""
    error = mean_absolute_error(y_true, y_pred)
    return float(round(error)) if math.isfinite(error) else error


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
        Fault("a segment that stands several times counts as often"),
        Fault("the score is rounded to a whole number"),
    ),
)
