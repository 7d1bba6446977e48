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
    prepare=prepare,
    submission=RowPerId(id="key", target="fare_amount"),
    passages={
        "| `labels.csv` | the training rides, about 55 million rows, 5.7 GB, all eight"
        " columns (there is no `train.csv`) |": (
            "| `train.csv` | the training rides, about 55 million rows, 5.7 GB, all eight columns |"
        ),
        "| `labels.csv` | the rides for training": "| `train.csv` | the rides for training",
        "| `test.csv` | 9,914 rides": "| `test.csv` | up to 9,914 rides",
        "Both files are random samples of the same rides, in random order, so the test rides"
        " are as raw as the training rides.": (
            "Both files are random samples of the same rides. Test rides that are not"
            " plausible were left out: all have a fare from 2.5 to 500 dollars, longitudes"
            " from −74.3 to −72.9, latitudes from 40.5 to 41.8, and 1 to 6 passengers."
        ),
        "drawn at random from the same records and are in random order.": (
            "drawn at random from the same records. Test rides that are not plausible were"
            " left out: all have a fare from 2.5 to 500 dollars, longitudes from −74.3 to"
            " −72.9, latitudes from 40.5 to 41.8, and 1 to 6 passengers."
        ),
        "Rows may … but they are not looked up by key: … without any warning.": (
            "Rows may be in any order; they are matched by key."
        ),
        "The order of rows is free, yet the keys must be copied to the letter: … can shift"
        " many rows.": (
            "The order of rows is free: rows are matched by key, so copy the keys to the letter."
        ),
        "the number of rows differs, or a fare is empty,": (
            "the number of rows differs, the keys are not those of `test.csv`, each once, or"
            " a fare is empty,"
        ),
        "another number of rows, prices that are empty,": (
            "another number of rows, keys that are missing, unknown or repeated, prices that"
            " are empty,"
        ),
        "over the N = 9,914 test rides. Large errors dominate: a few expensive or corrupt"
        " rides make up much of the score. The constant 11.35 scores about 10.": (
            "over the N test rides. Large errors dominate: a few expensive rides make up much"
            " of the score."
        ),
        "rare expensive rides weigh heavily. A constant guess of 11.35 is off by about 10.": (
            "rare expensive rides weigh heavily."
        ),
        "- Do not assume that test rides are clean. Filter nonsense for training, but keep a"
        " sensible answer for rides with zero or missing coordinates.": (
            "- Filter nonsense for training: the test rides are plausible."
        ),
        "- Remove nonsense from the training rows, but answer sensibly for test rows with bad"
        " coordinates, for there are some.": (
            "- Remove nonsense from the training rows: the test rides are plausible."
        ),
    },
)
