"""Submission formats: check the shape of a submission and lay it beside the answers.

A format never computes a score. What it checks depends on the submission and on the public part of
the answers (`keys`: the ids), never on an answer value: a verdict must not become an oracle.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np

from mlebench.errors import InvalidSubmissionError
from mlebench.formats import close_ids
from mlebench.formats.close_ids import Match
from mlebench.formats.columns import as_matrix
from mlebench.formats.ids import is_equal, look_up, numbered
from mlebench.formats.values import Values, finite_numbers
from mlebench.metrics.sorting import are_unique
from mlebench.tables.frames import Frame, column_index

AS_THEY_STAND = slice(None)
"""Picks all rows, without a copy."""


class Aligned(NamedTuple):
    """Truth and prediction in one order, ready for the metric."""

    truth: Any
    prediction: Any
    warnings: tuple[str, ...] = ()
    """What is odd about the submission, although the published grader scores it."""


class Format(Protocol):
    """The shape of a submission."""

    @property
    def id(self) -> str | None:
        """The column that names the rows; None where rows are matched by position alone."""

    @property
    def targets(self) -> Sequence[str]:
        """The columns with predictions."""

    def keys(self, answers: Any) -> Any:
        """The part of the answers that is no secret: what `check` may know."""

    def check(self, submission: Frame, keys: Any) -> None:
        """Raise InvalidSubmissionError with a reason unless the submission has this shape."""

    def align(self, submission: Frame, answers: Any) -> Aligned:
        """Truth and prediction, as the published grader pairs and reads them.

        Raises InvalidSubmissionError where that grader refuses the submission or stops; may accept
        what `check` refuses, with a warning.
        """


@dataclass(frozen=True)
class RowPerId:
    """One row per id, in any order; further columns are ignored unless the columns are exact."""

    id: str
    target: str | tuple[str, ...]
    values: Values = finite_numbers
    """Checks the target columns and gives them as an array."""

    truth: str | tuple[str, ...] | Callable[[Frame], Any] | None = None
    """Columns of the answers, where they are not called like the target; or what makes an array
    of the answers."""

    exact_columns: bool = False
    ignored: tuple[str, ...] = ()
    """Columns that must be there and are never looked at."""

    @property
    def targets(self) -> list[str]:
        return as_list(self.target)

    def keys(self, answers: Frame) -> Frame:
        return answers[[self.id]]

    def check(self, submission: Frame, keys: Frame) -> None:
        self._predictions(submission, keys)

    def align(self, submission: Frame, answers: Frame) -> Aligned:
        values, order = self._predictions(submission, self.keys(answers))
        return Aligned(self._truth(answers), in_order(values, order))

    def _truth(self, answers: Frame) -> Any:
        if callable(self.truth):
            return self.truth(answers)
        return truth_in(answers, as_list(self.truth or self.target))

    def _predictions(self, submission: Frame, keys: Frame) -> tuple[Any, Any]:
        names = [self.id, *self.ignored, *self.targets]
        require_columns(submission, names, exact=self.exact_columns)
        require_rows(submission, len(keys), self.id)
        values = self.values(columns_of(submission, self.targets))
        return values, order_of(submission[self.id], keys[self.id])


@dataclass(frozen=True)
class TextPerId(RowPerId):
    """Like RowPerId, but answers are read as the submission is: either may have gaps or numbers."""

    def _truth(self, answers: Frame) -> Any:
        return self.values(answers[self.targets])


@dataclass(frozen=True)
class RowPerSortedKey(RowPerId):
    """Like RowPerId, but keys are never compared: both sides are sorted and paired by position."""

    def _predictions(self, submission: Frame, keys: Frame) -> tuple[Any, Any]:
        require_columns(submission, [self.id, *self.targets], exact=self.exact_columns)
        require_rows(submission, len(keys), self.id)
        values = self.values(submission[self.targets])
        if is_equal(submission[self.id], keys[self.id]):
            return values, AS_THEY_STAND
        given, wanted = _quicksort(submission[self.id]), _quicksort(keys[self.id])
        order = np.empty(len(keys), dtype=int)
        order[wanted] = given
        return values, order


@dataclass(frozen=True)
class LeadingColumns(RowPerId):
    """Like RowPerId with exact columns, the first of which stand in the declared order."""

    leading: int = 1
    """How many, the id included."""

    def _predictions(self, submission: Frame, keys: Frame) -> tuple[Any, Any]:
        expected = [self.id, *self.targets]
        require_columns(submission, expected, exact=True)
        found = [str(name) for name in submission.columns]
        for place in range(self.leading):
            if found[place] != expected[place]:
                raise InvalidSubmissionError(
                    f"column {place + 1} is {found[place]!r}, expected {expected[place]!r}"
                )
        return super()._predictions(submission, keys)


@dataclass(frozen=True)
class RepeatableRows(RowPerId):
    """Every id at least once; an id that stands several times counts as often."""

    def check(self, submission: Frame, keys: Frame) -> None:
        self._joined(submission, keys)

    def align(self, submission: Frame, answers: Frame) -> Aligned:
        values, rows, answer_rows = self._joined(submission, self.keys(answers))
        return Aligned(self._truth(answers)[answer_rows], values[rows])

    def _joined(self, submission: Frame, keys: Frame) -> tuple[Any, Any, Any]:
        """The predictions, then row and answer row of every pair with equal ids."""
        require_columns(submission, [self.id, *self.targets], exact=self.exact_columns)
        given, wanted = submission[self.id], keys[self.id]
        values = self.values(submission[self.targets])
        is_same = is_equal(given, wanted)
        if is_same and _is_unique(wanted):
            return values, AS_THEY_STAND, AS_THEY_STAND
        if not is_same and (places := _one_by_one(given, wanted)) is not None:
            return values, AS_THEY_STAND, places
        if not is_same and len(strangers(given, wanted)):
            raise InvalidSubmissionError(_id_difference(given, wanted))
        absent = wanted[:0] if is_same else strangers(wanted, given)
        if len(absent):
            raise InvalidSubmissionError(
                f"{len(absent):,} ids are missing from {self.id!r}, for example"
                f" {str(absent.iloc[0])[:80]!r}"
            )
        pairs = numbered_rows(given).merge(numbered_rows(wanted), on="id")
        return values, pairs["row_x"].to_numpy(), pairs["row_y"].to_numpy()


@dataclass(frozen=True)
class ScoredRows(RowPerId):
    """Like RowPerId, but only some rows count; the values of the others are not looked at."""

    unscored: str = ""
    """The column of the answers, known to everybody, that is not 0 in rows that do not count."""

    def keys(self, answers: Frame) -> Frame:
        return answers[[self.id, self.unscored]]

    def align(self, submission: Frame, answers: Frame) -> Aligned:
        values, rows = self._predictions(submission, self.keys(answers))
        return Aligned(self._truth(answers)[rows], values)

    def _predictions(self, submission: Frame, keys: Frame) -> tuple[Any, Any]:
        """The predictions that count, and the rows of their answers."""
        require_columns(submission, [self.id, *self.targets], exact=self.exact_columns)
        require_rows(submission, len(keys), self.id)
        order = order_of(submission[self.id], keys[self.id])
        rows = np.flatnonzero(keys[self.unscored].to_numpy() == 0)
        given = rows if isinstance(order, slice) else order[rows]
        return self.values(submission[self.targets].iloc[given]), rows


@dataclass(frozen=True)
class RowInOrder:
    """One row per answer, matched by position alone; ids and all other columns are ignored."""

    target: str | tuple[str, ...]
    values: Values = finite_numbers

    @property
    def id(self) -> None:
        return None

    @property
    def targets(self) -> list[str]:
        return as_list(self.target)

    def keys(self, answers: Frame) -> Any:
        return answers.index

    def check(self, submission: Frame, keys: Any) -> None:
        require_columns(submission, self.targets)
        require_rows(submission, len(keys), "row of the test table")
        self.values(submission[self.targets])

    def align(self, submission: Frame, answers: Frame) -> Aligned:
        self.check(submission, self.keys(answers))
        return Aligned(truth_in(answers, self.targets), self.values(submission[self.targets]))


def truth_in(answers: Frame, names: list[str]) -> Any:
    """Columns of the answers as an array: a matrix, if there are several."""
    columns = [answers[name].to_numpy() for name in names]
    if len(columns) == 1:
        return columns[0]
    kinds = {column.dtype for column in columns}
    is_alike = len(kinds) == 1 and kinds.pop().kind in "iuf"
    return as_matrix(columns, columns[0].dtype) if is_alike else answers[names].to_numpy()


def in_order(values: Any, order: Any) -> Any:
    """Rows in another order; a large matrix that is in order already is not copied."""
    if isinstance(order, slice):
        return values[order]
    return values if np.array_equal(order, np.arange(len(values))) else values[order]


def _quicksort(keys: Any) -> Any:
    """The order by numpy's quicksort: numbers by value, and equal keys do not keep theirs."""
    from pandas.api.types import is_numeric_dtype

    values = keys if is_numeric_dtype(keys) else keys.astype(str).astype(object)
    return np.argsort(values.to_numpy(), kind="quicksort")


def strangers(ids: Any, known: Any) -> Any:
    """The ids that are not among the known ones."""
    return ids.iloc[_strange_rows(ids, known)]


def _strange_rows(ids: Any, known: Any) -> Any:
    if (rows := close_ids.strange_rows(ids, known)) is not None:
        return rows
    # pandas 3 looks up its own kind of texts one by one, Python's all at once.
    ids, known = (side.astype(object) if side.dtype.kind == "O" else side for side in (ids, known))
    return np.flatnonzero(~ids.isin(known))


def numbered_rows(ids: Any) -> Frame:
    """A table of ids and row numbers, for joining."""
    import pandas as pd

    return pd.DataFrame({"id": ids.to_numpy(), "row": np.arange(len(ids))})


def columns_of(frame: Frame, names: list[str]) -> Frame:
    """Some columns; a single one is not copied, and numbers are not looked at either."""
    import pandas as pd

    if len(names) != 1:
        return frame[names]
    column = frame[names[0]]
    if not isinstance(column.dtype, np.dtype) or column.dtype.kind not in "iuf":
        return column.to_frame()
    matrix, index = column.to_numpy().reshape(-1, 1), column_index(tuple(names))
    return pd.DataFrame(matrix, index=frame.index, columns=index, copy=False)


def as_list(names: str | tuple[str, ...]) -> list[str]:
    return [names] if isinstance(names, str) else list(names)


def with_group(columns: str | tuple[str, ...], group: str) -> Callable[[Frame], Any]:
    """The truth of a metric by group: columns of the answers, then the group as a number from 0."""

    def truth(answers: Frame) -> Any:
        values = [answers[name].to_numpy() for name in as_list(columns)]
        return as_matrix([*values, numbered(answers[group])], np.dtype(float))

    return truth


def require_columns(submission: Frame, names: list[str], *, exact: bool = False) -> None:
    """Every named column is there (and, if exact, no other)."""
    found = [str(name) for name in submission.columns]
    missing = [name for name in names if name not in found]
    if missing:
        raise InvalidSubmissionError(
            f"submission lacks column {shorten(missing)}; found {shorten(found)},"
            f" expected {shorten(names)}"
        )
    extra = [name for name in found if name not in names]
    if exact and extra:
        raise InvalidSubmissionError(
            f"submission has further columns {shorten(extra)}; expected exactly {shorten(names)}"
        )


def require_rows(submission: Frame, expected: int, id_name: str) -> None:
    """As many rows as the answers."""
    if len(submission) != expected:
        raise InvalidSubmissionError(
            f"submission has {len(submission):,} rows, expected {expected:,}: one per {id_name}"
        )


def match_ids(given: Any, wanted: Any) -> Any:
    """For each wanted id its row in the submission; both sides must hold the same ids.

    Where wanted ids repeat, equal ids are paired in the order in which they stand.
    """
    order = order_of(given, wanted)
    return np.arange(len(wanted)) if isinstance(order, slice) else order


def order_of(given: Any, wanted: Any) -> Any:
    """The same, but ids that stand in order already need no list of all rows."""
    if is_equal(given, wanted):
        return AS_THEY_STAND
    match, order = close_ids.place(given, wanted)
    if match == Match.PLACED:
        return order
    if match == Match.DIFFERENT:
        raise InvalidSubmissionError(_id_difference(given, wanted))
    order = look_up(given, wanted)
    if (order < 0).any():
        raise InvalidSubmissionError(_id_difference(given, wanted))
    if np.bincount(order, minlength=1).max() > 1:
        return _match_repeated(given, wanted)
    return order


def _is_unique(ids: Any) -> bool:
    """Numbers are sorted, which is faster than hashing them."""
    return are_unique(ids.to_numpy()) if ids.dtype.kind in "iu" else bool(ids.is_unique)


def _one_by_one(given: Any, wanted: Any) -> Any:
    """For each given id its row among the wanted ones, if both hold the same and none twice."""
    if given.dtype != wanted.dtype or len(given) != len(wanted) or not len(given):
        return None
    places = look_up(wanted, given)
    is_found = bool((places >= 0).all())
    return places if is_found and int(np.bincount(places).max()) == 1 else None


def _match_repeated(given: Any, wanted: Any) -> Any:
    """Number the repeats on both sides and match (id, number)."""
    import pandas as pd

    def numbered(ids: Any) -> Any:
        return pd.MultiIndex.from_arrays([ids, ids.groupby(ids, dropna=False).cumcount()])

    order = numbered(given).get_indexer(numbered(wanted))
    if (order < 0).any():
        raise InvalidSubmissionError(_id_difference(given, wanted))
    return order


def _id_difference(given: Any, wanted: Any) -> str:
    name = wanted.name
    foreign = _strange_rows(given, wanted)
    if not len(foreign):
        double = given[given.duplicated()]
        return f"{name!r} holds {_example(double, 0)} more than once; expected each id once"
    absent = _strange_rows(wanted, given)
    if not len(absent):
        return f"{name!r} holds {_example(given, foreign[0])}, which is not an expected id"
    return (
        f"{len(foreign):,} values of {name!r} are not among the expected ids, for example"
        f" {_example(given, foreign[0])}; expected for example {_example(wanted, absent[0])}"
    )


def _example(ids: Any, row: int) -> str:
    """An id for a message."""
    return repr(str(ids.iloc[row])[:80])


def shorten(names: list[str], limit: int = 6) -> str:
    """Names for a message, cut when there are many."""
    shown = ", ".join(repr(name[:60]) for name in names[:limit])
    return shown if len(names) <= limit else f"{shown} … ({len(names)} in all)"
