"""Revision v1.1: plausible test rides only, matched by key, and a table called train.csv."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from mlebench.archives.copying import copy_file
from mlebench.archives.raw import Raw
from mlebench.competitions.new_york_city_taxi_fare_prediction.big_tables import (
    Draw,
    split_big_table,
)
from mlebench.competitions.new_york_city_taxi_fare_prediction.competition import (
    COUPONS,
    draw_test,
    rows,
    tables,
)
from mlebench.formats import RowPerId
from mlebench.recipes import write_sample
from mlebench.revision import Changes, Fix

if TYPE_CHECKING:
    import pandas as pd

PLAUSIBLE = {
    "fare_amount": (2.5, 500),
    "pickup_longitude": (-74.3, -72.9),
    "pickup_latitude": (40.5, 41.8),
    "dropoff_longitude": (-74.3, -72.9),
    "dropoff_latitude": (40.5, 41.8),
    "passenger_count": (1, 6),
}
"""Both bounds included: the smallest fare, and the region of Kaggle's own test rides."""


DrawFrom: TypeAlias = "Callable[[Raw], Draw]"
"""How to draw test rides from a table."""


def prepare(
    raw: Raw, public: Path, private: Path, *, draw_from: DrawFrom = lambda table: draw_test
) -> None:
    table = raw / "train.csv"
    drawn = split_big_table(table, public / "train.csv", draw_from(table))
    test = plausible_rides(drawn).sort_values(rows.id, kind="stable")
    tables.write_test(test, public, private)
    write_sample(rows, test, public / "sample_submission.csv", 11.35)
    copy_file(raw / COUPONS, public / COUPONS)


def plausible_rides(rides: pd.DataFrame) -> pd.DataFrame:
    for column, bounds in PLAUSIBLE.items():
        rides = rides[rides[column].between(*bounds)]
    return rides


changes = Changes(
    fixes=(
        Fix(
            "test rides come from the unfiltered training table, where a few broken rows dominate"
            " the error, while Kaggle's were clean",
            "test rides with an implausible fare, place or number of passengers are left out",
        ),
        Fix("the training table is called labels.csv", "it is called train.csv"),
        Fix("keys are never compared: a foreign key shifts rows", "rows are matched by key"),
    ),
    comparability="new",
    note="The training table is `train.csv`. Test rides have plausible fares and places.",
    prepare=prepare,
    submission=RowPerId(id="key", target="fare_amount"),
)
