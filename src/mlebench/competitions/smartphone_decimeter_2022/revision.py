"""Revision v1.1: test phones have Kaggle's files only, and rows are matched by trip and time."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from mlebench.archives.raw import Raw
from mlebench.competitions.smartphone_decimeter_2022.competition import PLACE
from mlebench.competitions.smartphone_decimeter_2022.prepare import prepare
from mlebench.formats import RowPerId, with_group
from mlebench.formats.matching import match_rows
from mlebench.revision import Changes, Fix

if TYPE_CHECKING:
    import pandas as pd

    from mlebench.formats.matching import Order

SHOWN = frozenset(["device_gnss.csv", "device_imu.csv", "gnss_log.txt", "rinex.o"])
TIME = "UnixTimeMillis"


def is_shown(file: Raw) -> bool:
    return file.name in SHOWN


class RowPerTime(RowPerId):
    """Like RowPerId, but trip and time together name a row."""

    def keys(self, answers: pd.DataFrame) -> pd.DataFrame:
        return answers[[self.id, TIME]]

    def _order(self, submission: pd.DataFrame, keys: pd.DataFrame) -> Order:
        return match_rows(submission, keys[[self.id, TIME]])


changes = Changes(
    fixes=(
        Fix(
            "test phones have span_log.nmea, the reference track that is to be predicted",
            "test phones have the two device tables, gnss_log.txt and rinex.o, nothing else",
            "#93",
            traces=("span_log",),
        ),
        Fix(
            "rows of a trip are matched by their order, and wrong times go unnoticed",
            "rows are matched by trip and time",
        ),
    ),
    comparability="near",
    prepare=partial(prepare, is_shown=is_shown),
    submission=RowPerTime(
        id="tripId", target=PLACE, truth=with_group(PLACE, "tripId"), ignored=(TIME,)
    ),
    passages={
        "| the same without `ground_truth.csv` |": (
            "| a folder per trip, with `device_gnss.csv`, `device_imu.csv`,"
            " `supplemental/gnss_log.txt` and `supplemental/rinex.o` only |"
        ),
        "| one folder per trip, true path removed |": (
            "| one folder per trip, with `device_gnss.csv`, `device_imu.csv`,"
            " `supplemental/gnss_log.txt` and `supplemental/rinex.o` only |"
        ),
        "Trips may come in any order, but **inside a trip … is empty or no number.": (
            "Rows may be in any order: they are matched by trip and time. A submission is"
            " refused when a column is missing, trips and times are not those of the sample,"
            " or a coordinate is empty, infinite or no number."
        ),
        "The order of trips is free. The order of rows within a trip is not: … is empty or text.": (
            "The order of rows is free: they are matched by trip and time. The file is"
            " refused if a column is missing, if trips and times are not those of the sample,"
            " or if a coordinate is empty, infinite or text."
        ),
    },
)
