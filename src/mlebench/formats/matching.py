"""Which row of a submission belongs to which row of the answers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from mlebench.errors import InvalidSubmissionError
from mlebench.formats.ids import are_unique, is_equal, look_up

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    Ids: TypeAlias = pd.Series[Any]
    Order: TypeAlias = NDArray[np.int64] | slice
    """Row numbers, or the slice of all rows where they are in order already."""

IN_ORDER = slice(None)
"""Picks all rows, without a copy."""


def in_order(values: Any, order: Order) -> Any:
    """Rows in another order; a large matrix that is in order already is not copied."""
    if isinstance(order, slice):
        return values[order]
    return values if np.array_equal(order, np.arange(len(values))) else values[order]


def match_ids(given: Ids, wanted: Ids) -> NDArray[np.int64]:
    """For each wanted id its row in the submission; both sides must hold the same ids.

    Where wanted ids repeat, equal ids are paired in the order of their rows.
    """
    order = order_of(given, wanted)
    return np.arange(len(wanted)) if isinstance(order, slice) else order


def order_of(given: Ids, wanted: Ids) -> Order:
    """Like `match_ids`, but the slice of all rows where ids are in order already."""
    if is_equal(given, wanted):
        return IN_ORDER
    order = look_up(given, wanted)
    if (order < 0).any():
        raise id_difference(given, wanted)
    if np.bincount(order, minlength=1).max() > 1:
        return _match_repeated(given, wanted)
    return order


def pair_sorted(given: Ids, wanted: Ids) -> Order:
    """Pairs by position after both sides are sorted, as `sort_values` of pandas sorts by default.

    That sort is not stable: where ids repeat, it decides which rows meet.
    """
    if is_equal(given, wanted) and are_unique(wanted):
        return IN_ORDER
    order = np.empty(len(wanted), np.int64)
    order[sorting_order(wanted)] = sorting_order(given)
    return order


def sorting_order(ids: Ids) -> NDArray[np.int64]:
    """The rows in the order of numpy's quicksort, gaps last."""
    from pandas.api.types import is_numeric_dtype

    is_gap = ids.isna().to_numpy()
    filled, gaps = np.flatnonzero(~is_gap), np.flatnonzero(is_gap)
    values = ids.iloc[filled]
    if not is_numeric_dtype(values.dtype):
        values = values.astype(str).astype(object)
    return np.concatenate([filled[np.argsort(values.to_numpy(), kind="quicksort")], gaps])


def unknown_ids(ids: Ids, known: Ids) -> Ids:
    """The ids that are not among the known ones."""
    return ids.iloc[unknown_rows(ids, known)]


def unknown_rows(ids: Ids, known: Ids) -> NDArray[np.int64]:
    """The rows of the ids that are not among the known ones."""
    # pandas 3 looks up its own kind of texts one by one, Python's all at once.
    ids, known = (side.astype(object) if side.dtype.kind == "O" else side for side in (ids, known))
    return np.flatnonzero(~ids.isin(known))


def match_rows(given: pd.DataFrame, wanted: pd.DataFrame) -> NDArray[np.int64]:
    """For each wanted row its place in the submission, where several columns together name it."""
    import pandas as pd

    names = list(wanted.columns)
    found = pd.MultiIndex.from_frame(given[names])
    if not found.is_unique:
        repeat = found[found.duplicated()][0]
        raise InvalidSubmissionError(
            f"the columns {', '.join(names)} hold {_joined(repeat)} more than once; expected each"
            " row of the sample submission once"
        )
    order: NDArray[np.int64] = found.get_indexer(pd.MultiIndex.from_frame(wanted))
    if len(given) != len(wanted) or (order < 0).any():
        example = wanted.iloc[int(np.argmin(order))]
        raise InvalidSubmissionError(
            f"the columns {', '.join(names)} are not those of the sample submission, which holds"
            f" {_joined(example)}; expected each of its {len(wanted):,} rows once"
        )
    return order


def _joined(values: Iterable[object]) -> str:
    """The values of a row as they are in a file, not as numpy names them."""
    return ", ".join(map(str, values))[:80]


def one_by_one(given: Ids, wanted: Ids) -> NDArray[np.int64] | None:
    """For each given id its row among the wanted ones, if both hold the same and none twice."""
    if given.dtype != wanted.dtype or len(given) != len(wanted) or not len(given):
        return None
    places = look_up(wanted, given)
    is_found = bool((places >= 0).all())
    return places if is_found and int(np.bincount(places).max()) == 1 else None


def _match_repeated(given: Ids, wanted: Ids) -> NDArray[np.int64]:
    """Number the repeats on both sides and match (id, number)."""
    import pandas as pd

    def numbered(ids: Ids) -> pd.MultiIndex:
        return pd.MultiIndex.from_arrays([ids, ids.groupby(ids, dropna=False).cumcount()])

    order: NDArray[np.int64] = numbered(given).get_indexer(numbered(wanted))
    if (order < 0).any():
        raise id_difference(given, wanted)
    return order


def id_difference(given: Ids, wanted: Ids) -> InvalidSubmissionError:
    """Says how the ids of a submission differ from those that are wanted."""
    name = wanted.name
    foreign = unknown_rows(given, wanted)
    if not len(foreign):
        double = given[given.duplicated()]
        return InvalidSubmissionError(
            f"{name!r} holds {_example(double, 0)} more than once; expected each id once"
        )
    absent = unknown_rows(wanted, given)
    if not len(absent):
        return InvalidSubmissionError(
            f"{name!r} holds {_example(given, foreign[0])}, which is not an expected id"
        )
    return InvalidSubmissionError(
        f"{len(foreign):,} values of {name!r} are not among the expected ids, for example"
        f" {_example(given, foreign[0])}; expected for example {_example(wanted, absent[0])}"
    )


def _example(ids: Ids, row: int) -> str:
    """An id for a message."""
    return repr(str(ids.iloc[row])[:80])
