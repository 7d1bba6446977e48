"""Splitting rows into train and test as the published preparation does."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from mlebench.errors import DataError

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

Rows = TypeVar("Rows", bound="pd.DataFrame | NDArray[Any] | list[Any]")
Splitting: TypeAlias = Callable[..., tuple[Any, Any]]
"""`split_rows`, or another function with its arguments, for preparations that take either."""


def split_rows(rows: Rows, *, test_size: float | int, seed: int = 0) -> tuple[Rows, Rows]:
    """Shuffle and split a table, list or array into train and test, in the order drawn."""
    train, test = split_positions(len(rows), test_size=test_size, seed=seed)
    return _take(rows, train), _take(rows, test)


def _take(rows: Any, positions: NDArray[np.int64]) -> Any:
    if hasattr(rows, "iloc"):
        return rows.iloc[positions]
    return rows[positions] if hasattr(rows, "dtype") else [rows[i] for i in positions.tolist()]


def split_positions(
    count: int, *, test_size: float | int, seed: int = 0
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Row numbers of train and test, as scikit-learn's `train_test_split` would draw them."""
    import numpy as np

    # Not by scikit-learn, whose import takes longer than preparing most competitions.
    drawn = math.ceil(test_size * count) if isinstance(test_size, float) else test_size
    if not 0 < drawn < count:
        raise DataError(f"the raw data has {count:,} rows, too few to draw {drawn:,} for the test")
    order = np.random.RandomState(seed).permutation(count)
    return order[drawn:], order[:drawn]


def split_groups(
    frame: pd.DataFrame, column: str, *, test_size: float | int, seed: int = 0
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Split by the distinct values of a column (in order of appearance); rows keep their order."""
    _, test = split_rows(list(frame[column].unique()), test_size=test_size, seed=seed)
    is_test = frame[column].isin(test)
    return frame[~is_test], frame[is_test]


def split_sorted_groups(
    frame: pd.DataFrame, column: str, *, test_size: float | int, seed: int = 0
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Split by the distinct values of a column, ascending; rows follow the groups as drawn."""
    import numpy as np
    import pandas as pd

    members, groups = pd.factorize(frame[column], sort=True)
    parts = []
    for drawn in split_positions(len(groups), test_size=test_size, seed=seed):
        place = np.full(len(groups), -1)
        place[drawn] = np.arange(len(drawn))
        places = place[members]
        order = np.argsort(places, kind="stable")
        parts.append(frame.iloc[order[int((places < 0).sum()) :]])
    return parts[0], parts[1]


def one_hot(labels: pd.Series[str], classes: Iterable[str]) -> dict[str, NDArray[np.int64]]:
    """A 0/1 column for each class."""
    import numpy as np

    values = np.asarray(labels)
    return {name: (values == name).astype(int) for name in classes}
