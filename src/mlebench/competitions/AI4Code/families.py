"""Notebooks with a common ancestor are a family; whole families go to train or test."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from mlebench.archives.copying import copy_split
from mlebench.archives.raw import Raw
from mlebench.tables import read_table, write_table

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

TEST_NOTEBOOKS = 20_000


def prepare(
    raw: Raw, public: Path, private: Path, *, test_size: float | int = TEST_NOTEBOOKS
) -> None:
    import numpy as np

    # As text: an id such as 00015e8327171 is not a number.
    ancestors = read_table(raw / "train_ancestors.csv", dtype=str)
    ancestors = ancestors.iloc[np.random.RandomState(0).permutation(len(ancestors))]
    is_test = choose_families(ancestors["ancestor_id"], test_size)
    test_ids = ancestors["id"][is_test]
    write_table(ancestors[~is_test], public / "train_ancestors.csv")

    orders = read_table(raw / "train_orders.csv", dtype=str)
    is_test_order = orders["id"].isin(test_ids)
    train, test = orders[~is_test_order], orders[is_test_order]
    write_table(train, public / "train_orders.csv")
    write_table(test, private / "test_orders.csv")
    listed = [listed_cells(raw / f"train/{notebook}.json") for notebook in test["id"]]
    write_table(test.assign(cell_order=listed), public / "sample_submission.csv")
    copy_split(raw, "train/{}.json", public, train=train["id"], test=test["id"])


def choose_families(ancestor_ids: pd.Series[str], test_size: float | int) -> NDArray[np.bool_]:
    """Which rows are test rows: whole families in their order, as long as they fit."""
    import numpy as np
    import pandas as pd

    family, _ = pd.factorize(ancestor_ids)
    sizes = np.bincount(family)
    is_chosen = np.zeros(len(sizes), dtype=bool)
    room = int(test_size * len(family)) if isinstance(test_size, float) else test_size
    for number, size in enumerate(sizes):
        if size <= room:
            is_chosen[number] = True
            room -= size
    return is_chosen[family]


def listed_cells(notebook: Raw) -> str:
    """Cell ids in the order of the file: code in order, then shuffled markdown."""
    return " ".join(json.loads(notebook.read_bytes())["cell_type"])
