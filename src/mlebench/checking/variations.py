"""Submissions made from a good one: trivial ones, and ones that are broken in one place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from mlebench.definition import Accepted

if TYPE_CHECKING:
    import pandas as pd

    from mlebench.checking.examined import Examined


def shuffled(examined: Examined) -> pd.DataFrame:
    """The good submission with its predictions in a random order."""
    good = examined.good
    order = np.random.default_rng(0).permutation(len(good))
    columns = {name: good[name].to_numpy()[order] for name in examined.targets}
    return good.assign(**columns)


def constant(examined: Examined) -> pd.DataFrame:
    """The good submission with one prediction for all rows: that of its most frequent row."""
    good = examined.good
    groups = good.groupby(examined.targets, dropna=False, sort=False).ngroup().to_numpy()
    first = int(np.argmax(groups == np.argmax(np.bincount(groups))))
    return good.assign(**{name: [good[name].iloc[first]] * len(good) for name in examined.targets})


def broken(examined: Examined) -> Iterator[tuple[Accepted | str, pd.DataFrame]]:
    """The good submission, broken in each way that the definition does not accept."""
    good, target = examined.good, examined.targets[-1]
    yield "missing_column", good.drop(columns=target)
    for kind, table in _broken_rows(good, examined.id_name, target):
        if kind not in examined.competition.definition.accepts:
            yield kind, table


def _broken_rows(
    good: pd.DataFrame, id_name: str, target: str
) -> Iterator[tuple[Accepted, pd.DataFrame]]:
    yield "missing_row", good.iloc[1:]
    if len(good) > 1:
        yield "double_id", _with_first(good, id_name, good[id_name].iloc[-1])
    is_number = good[id_name].dtype.kind in "iuf"
    foreign = good[id_name].max() + 987_654_321 if is_number else "no-such-id"
    yield "foreign_id", _with_first(good, id_name, foreign)
    yield "nan", _with_first(good, target, None)


def _with_first(table: pd.DataFrame, column: str, value: object) -> pd.DataFrame:
    """The table with another value in the first row."""
    values = table[column].astype(object).to_list()
    return table.assign(**{column: [value, *values[1:]]})
