"""Revision v1.1: rows are matched by id, and ids do not follow from the split."""

from functools import partial

from mlebench.competitions.nomad2018_predict_transparent_conductors.competition import (
    SAMPLE,
    prepare,
)
from mlebench.competitions.nomad2018_predict_transparent_conductors.format import at_least_0
from mlebench.formats import RowPerId
from mlebench.revision import Changes, Fix

changes = Changes(
    fixes=(
        Fix("rows are matched by position and ids are ignored", "rows are matched by id"),
        Fix(
            "test materials are numbered in the order of the split",
            "test materials are numbered in the order of the hashes of their geometries",
        ),
    ),
    comparability="near",
    prepare=partial(prepare, numbered_by_hash=True),
    submission=RowPerId(id="id", target=tuple(SAMPLE), values=at_least_0),
    passages={
        "one row for each row of `test.csv`, **in the same order**.": (
            "one row for each row of `test.csv`, in any order."
        ),
        "Rows are compared by position; the ids are not looked at, and further columns are"
        " ignored. A submission is refused when a target column is missing, the number of"
        " rows differs,": (
            "Rows are matched by id. A submission is refused when a column is missing or"
            " superfluous, the ids are not those of `test.csv`, each once,"
        ),
        "a row for every row of `test.csv` and **in its order**, because rows are compared by"
        " position and ids are ignored, as is any further column.": (
            "a row for every row of `test.csv`, in any order. Rows are matched by id."
        ),
        "if one of the two columns is missing, if the number of rows is wrong,": (
            "if a column is missing or added, if the ids are not those of `test.csv`, each once,"
        ),
    },
)
