"""Ventilator Pressure Prediction: the airway pressure at each step of a breath."""

from pathlib import Path

from mlebench.archives.raw import Raw
from mlebench.competitions.ventilator_pressure_prediction.format import StepPerId
from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats.clusters import Clusters
from mlebench.formats.values import converted_numbers
from mlebench.metrics import mean_absolute_error
from mlebench.tables import Splitting, read_table, split_sorted_groups, write_table

TYPES = {
    "id": "int32",
    "breath_id": "int32",
    "R": "int8",
    "C": "int8",
    "time_step": "float64",
    "u_in": "float64",
    "u_out": "int8",
    "pressure": "float64",
}
TEN_DIGITS = "%.10g"


def prepare(
    raw: Raw,
    public: Path,
    private: Path,
    *,
    is_sorted: bool = False,
    split: Splitting = split_sorted_groups,
) -> None:
    """One table of time series, split by breath and renumbered.

    Args:
        is_sorted: whether the breaths of the test are in the order of their ids, not of the split.
    """
    parts = split(read_table(raw / "train.csv", dtype=TYPES), "breath_id", test_size=0.1)
    if is_sorted:
        parts = parts[0], parts[1].sort_values("breath_id", kind="stable")
    train, test = (part.assign(id=range(1, len(part) + 1)) for part in parts)
    write_table(train, public / "train.csv", float_format=TEN_DIGITS)
    write_table(test.drop(columns="pressure"), public / "test.csv", float_format=TEN_DIGITS)
    write_table(test, private / "test.csv", float_format=TEN_DIGITS)
    write_table(test[["id"]].assign(pressure=0), public / "sample_submission.csv")


competition = CompetitionDefinition(
    id="ventilator-pressure-prediction",
    title="Google Brain - Ventilator Pressure Prediction",
    category="Forecasting",
    complexity="medium",
    awards_medals=True,
    prize_usd=7_500,
    prepare=prepare,
    submission=StepPerId(
        id="id", target="pressure", unscored="u_out", odd_values=converted_numbers
    ),
    metric=mean_absolute_error,
    clusters=Clusters("breath", "breath_id"),
    official_sample_score=17.65486,
    faults=(
        Fault("numbers are rounded to ten significant digits, the answers too"),
        Fault("rows of expiration are required but may be empty"),
        Fault("train and test ids both count from 1"),
    ),
    accepts=frozenset({"nan", "ordered", "renumbered"}),
)
