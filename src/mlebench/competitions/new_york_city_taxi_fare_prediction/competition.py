"""New York City Taxi Fare Prediction: the fare of a ride from its time and two places."""

from functools import partial
from pathlib import Path

from mlebench.archives.copying import copy_file
from mlebench.archives.raw import Raw
from mlebench.competitions.new_york_city_taxi_fare_prediction.big_tables import split_big_table
from mlebench.definition import CompetitionDefinition, Fault
from mlebench.formats import RowPerSortedKey
from mlebench.metrics import root_mean_squared_error
from mlebench.recipes import TableSplit, write_sample
from mlebench.tables import split_positions

COUPONS = "GCP-Coupons-Instructions.rtf"
rows = RowPerSortedKey(id="key", target="fare_amount")
tables = TableSplit(rows)
draw_test = partial(split_positions, test_size=9914)


def prepare(raw: Raw, public: Path, private: Path) -> None:
    test = split_big_table(raw / "train.csv", public / "labels.csv", draw_test)
    tables.write_test(test, public, private)
    write_sample(rows, test, public / "sample_submission.csv", 11.35)
    copy_file(raw / COUPONS, public / COUPONS)


competition = CompetitionDefinition(
    id="new-york-city-taxi-fare-prediction",
    title="New York City Taxi Fare Prediction",
    category="Tabular",
    complexity="low",
    dataset_gb=5.7,
    prepare=prepare,
    submission=rows,
    metric=root_mean_squared_error,
    official_sample_score=10.02927,
    faults=(
        Fault("keys are never compared: a foreign key shifts rows instead of being refused"),
        Fault("the training table is called labels.csv"),
    ),
    accepts=frozenset({"foreign_id", "double_id"}),
)
