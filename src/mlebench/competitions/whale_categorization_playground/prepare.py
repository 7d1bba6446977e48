"""Whales with several photos are in both parts; one with a single photo may be new in the test."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.archives.copying import copy_split
from mlebench.archives.raw import Raw
from mlebench.tables import read_table, split_rows, write_table

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

GUESSES = "new_whale w_1287fbc w_98baff9 w_7554f44 w_1eafe46"


def prepare(raw: Raw, public: Path, private: Path) -> None:
    rows = read_table(raw / "train.csv")
    is_test = choose_test(rows["Id"])
    train, test = rows[~is_test], rows[is_test]
    is_known = test["Id"].isin(train["Id"])
    write_table(train, public / "train.csv")
    write_table(test.assign(Id=test["Id"].where(is_known, "new_whale")), private / "test.csv")
    write_table(test.assign(Id=GUESSES), public / "sample_submission.csv")
    copy_split(raw, "train/{}", public, train=train["Image"], test=test["Image"])


def choose_test(whales: pd.Series[str]) -> NDArray[np.bool_]:
    """Which rows are test rows: one of each whale at least, if there are two."""
    import numpy as np

    draw = np.random.default_rng(0)
    is_test = np.zeros(len(whales), dtype=bool)
    is_open = np.ones(len(whales), dtype=bool)
    for members in whales.groupby(whales, sort=False).indices.values():
        rows = np.asarray(members)
        if len(rows) == 1:
            is_test[rows] = draw.random() >= 0.9
            is_open[rows] = False
        else:
            to_train, to_test = rows[np.random.RandomState(0).permutation(len(rows))[:2]]
            is_test[to_test] = True
            is_open[[to_train, to_test]] = False
    _, rest = split_rows(np.flatnonzero(is_open), test_size=0.1)
    is_test[rest] = True
    return is_test
