"""Formats with a row per id: the columns of a submission as arrays in the order of the answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from mlebench.errors import InvalidSubmissionError
from mlebench.formats.base import (
    Aligned,
    SomeAligned,
    as_list,
    require_columns,
    require_rows,
    scored_all_the_same,
)
from mlebench.formats.columns import as_matrix
from mlebench.formats.ids import are_unique, is_equal
from mlebench.formats.matching import (
    IN_ORDER,
    id_difference,
    in_order,
    one_by_one,
    order_of,
    pair_sorted,
    unknown_ids,
)
from mlebench.formats.values import Values, finite_numbers

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    from mlebench.formats.matching import Order

KEPT_HEADERS = 16


@dataclass(frozen=True)
class RowPerId:
    """One row per id, in any order; further columns are ignored unless the columns are exact."""

    id: str
    target: str | tuple[str, ...]
    values: Values = finite_numbers
    """Checks the target columns and returns them as an array."""

    odd_values: Callable[[pd.DataFrame, Any], Any] | None = None
    """How the published grader reads columns that `values` refuses, given the truth."""

    truth: str | tuple[str, ...] | Callable[[pd.DataFrame], Any] | None = None
    """Columns of the answers, if they are not named like the target; or what makes an array
    of the answers."""

    exact_columns: bool = False
    ignored: tuple[str, ...] = ()
    """Columns that must exist and are ignored."""

    @property
    def targets(self) -> list[str]:
        return as_list(self.target)

    @property
    def answer_columns(self) -> list[str] | None:
        """The columns of the answers that are used; None if that is not known."""
        if callable(self.truth) or type(self) not in NAME_ALL_COLUMNS:
            return None
        return [self.id, *as_list(self.truth or self.target)]

    def keys(self, answers: pd.DataFrame) -> pd.DataFrame:
        return answers[[self.id]]

    def check(self, submission: pd.DataFrame, keys: pd.DataFrame) -> None:
        self._require_shape(submission, keys)
        self.values(columns_of(submission, self.targets))
        self._order(submission, keys)

    def align(self, submission: pd.DataFrame, answers: pd.DataFrame) -> Aligned:
        self._require_shape(submission, answers)
        truth = self._truth(answers)
        values, warnings = self._read(columns_of(submission, self.targets), truth)
        return Aligned(truth, in_order(values, self._order(submission, answers)), warnings)

    def _require_shape(self, submission: pd.DataFrame, keys: pd.DataFrame) -> None:
        names = [self.id, *self.ignored, *self.targets]
        require_columns(submission, names, exact=self.exact_columns)
        require_rows(submission, len(keys), self.id)

    def _order(self, submission: pd.DataFrame, keys: pd.DataFrame) -> Order:
        return order_of(submission[self.id], keys[self.id])

    def _truth(self, answers: pd.DataFrame) -> Any:
        if callable(self.truth):
            return self.truth(answers)
        return truth_in(answers, as_list(self.truth or self.target))

    def _read(self, columns: pd.DataFrame, truth: Any) -> tuple[Any, tuple[str, ...]]:
        """The predictions, and a warning where `values` refuses them."""
        try:
            return self.values(columns), ()
        except InvalidSubmissionError as refusal:
            if self.odd_values is None:
                raise
            return self.odd_values(columns, truth), scored_all_the_same(refusal)


@dataclass(frozen=True)
class TextPerId(RowPerId):
    """Like RowPerId, but answers are read as the submission is: either may have gaps or numbers."""

    def _truth(self, answers: pd.DataFrame) -> Any:
        return self.values(answers[self.targets])


@dataclass(frozen=True)
class RowPerSortedKey(RowPerId):
    """Like RowPerId, but keys are never compared: both sides are sorted and paired by position."""

    def _order(self, submission: pd.DataFrame, keys: pd.DataFrame) -> Order:
        return pair_sorted(submission[self.id], keys[self.id])


@dataclass(frozen=True)
class LeadingColumns(RowPerId):
    """Like RowPerId with exact columns, the first of which are in the declared order."""

    leading: int = 1
    """How many, the id included."""

    def _require_shape(self, submission: pd.DataFrame, keys: pd.DataFrame) -> None:
        expected = [self.id, *self.targets]
        require_columns(submission, expected, exact=True)
        found = [str(name) for name in submission.columns]
        for place in range(self.leading):
            if found[place] != expected[place]:
                raise InvalidSubmissionError(
                    f"column {place + 1} is {found[place]!r}, expected {expected[place]!r}"
                )
        require_rows(submission, len(keys), self.id)


@dataclass(frozen=True)
class RepeatableRows(RowPerId):
    """Every id at least once; an id that occurs several times counts each time."""

    def check(self, submission: pd.DataFrame, keys: pd.DataFrame) -> None:
        require_columns(submission, [self.id, *self.targets], exact=self.exact_columns)
        self.values(submission[self.targets])
        self._pairs(submission, keys)

    def align(self, submission: pd.DataFrame, answers: pd.DataFrame) -> Aligned:
        require_columns(submission, [self.id, *self.targets], exact=self.exact_columns)
        truth = self._truth(answers)
        values, warnings = self._read(submission[self.targets], truth)
        rows, answer_rows = self._pairs(submission, answers)
        return SomeAligned.of(truth[answer_rows], values[rows], rows=answer_rows, warnings=warnings)

    def _pairs(self, submission: pd.DataFrame, keys: pd.DataFrame) -> tuple[Order, Order]:
        """Row and answer row of every pair with equal ids."""
        import pandas as pd

        given, wanted = submission[self.id], keys[self.id]
        if is_equal(given, wanted):
            if are_unique(wanted):
                return IN_ORDER, IN_ORDER
        elif (places := one_by_one(given, wanted)) is not None:
            return IN_ORDER, places
        elif len(unknown_ids(given, wanted)):
            raise id_difference(given, wanted)
        elif len(absent := unknown_ids(wanted, given)):
            raise InvalidSubmissionError(
                f"{len(absent):,} ids are missing from {self.id!r}, for example"
                f" {str(absent.iloc[0])[:80]!r}"
            )
        left, right = (
            pd.DataFrame({"id": ids.to_numpy(), "row": np.arange(len(ids))})
            for ids in (given, wanted)
        )
        pairs = left.merge(right, on="id")
        return pairs["row_x"].to_numpy(), pairs["row_y"].to_numpy()


NAME_ALL_COLUMNS = (RowPerId, TextPerId, RowPerSortedKey, LeadingColumns, RepeatableRows)
"""A subclass elsewhere may use other columns than those it names."""


def truth_in(answers: pd.DataFrame, names: list[str]) -> NDArray[Any]:
    """Columns of the answers as an array: a matrix, if there are several."""
    columns = [answers[name].to_numpy() for name in names]
    if len(columns) == 1:
        return columns[0]
    kinds = {column.dtype for column in columns}
    is_alike = len(kinds) == 1 and kinds.pop().kind in "iuf"
    return as_matrix(columns, columns[0].dtype) if is_alike else answers[names].to_numpy()


def columns_of(frame: pd.DataFrame, names: list[str]) -> pd.DataFrame:
    """Some columns; a single one is not copied, and numbers are not checked."""
    import pandas as pd

    if len(names) != 1:
        return frame[names]
    column = frame[names[0]]
    if not isinstance(column.dtype, np.dtype) or column.dtype.kind not in "iuf":
        return column.to_frame()
    matrix, index = column.to_numpy().reshape(-1, 1), _column_index(tuple(names))
    return pd.DataFrame(matrix, index=frame.index, columns=index, copy=False)


def with_group(columns: str | tuple[str, ...], group: str) -> Callable[[pd.DataFrame], Any]:
    """The truth of a metric by group: columns of the answers, then the group as a number from 0."""

    def truth(answers: pd.DataFrame) -> NDArray[np.float64]:
        import pandas as pd

        values = [answers[name].to_numpy() for name in as_list(columns)]
        return as_matrix([*values, pd.factorize(answers[group])[0]], np.dtype(float))

    return truth


@lru_cache(maxsize=KEPT_HEADERS)
def _column_index(names: tuple[str, ...]) -> pd.Index[str]:
    """Names as pandas stores them, ready for look-ups, which in small tables take the longest."""
    import pandas as pd

    index = pd.Index(names)
    index.get_loc(names[0])
    return index
