"""Cells that list groups of words, of which one may be a label and the others are numbers."""

from __future__ import annotations

import ctypes
import secrets
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Any

import numpy as np

from mlebench.errors import InvalidSubmissionError
from mlebench.metrics.threads import on_blocks
from mlebench.metrics.words import Places
from mlebench.native import FLOATS, INTS, SIZE, kernel

BLOCK = 4 << 20
"""Bytes of text taken at a time."""

SEED = secrets.randbits(63)
LABELS = ("label", "code")
NO_LABEL = -1
NOT_PLAIN = -1
"""Stands for the number of words in cells that only Python can split at any white space."""
FEW_ODD = 64
"""Words of some rows that Python must read: for more the kernel walks once again."""

_count_in_cells = kernel("count_in_cells", SIZE, INTS, INTS, SIZE, INTS, gives=None)
_read_groups = kernel(
    "read_groups", SIZE, *[INTS] * 3, SIZE, INTS, *[SIZE] * 3, INTS, FLOATS, INTS, SIZE
)


class Separator(IntEnum):
    """What stands between words."""

    BLANK = 0
    """Exactly one, so that two have an empty word between them."""

    BLANK_UNLESS_ALL = 1
    """Likewise, but a cell of blanks alone has no words."""

    WHITE_SPACE = 2
    """Of any length."""


def require_texts(column: Any, *, gaps: bool, expected: str) -> None:
    """A column that pandas reads as text; one without any value is a column of gaps."""
    from pandas.api.types import infer_dtype, is_numeric_dtype

    is_gap = column.isna().to_numpy()
    if is_gap.any() and not gaps:
        raise InvalidSubmissionError(
            f"column {column.name!r} has nothing in row {int(np.argmax(is_gap)) + 1},"
            f" expected {expected}"
        )
    is_other = is_numeric_dtype(column) or (
        column.dtype == object and infer_dtype(column, skipna=True) == "boolean"
    )
    if is_other and not is_gap.all():
        found = column.iloc[int(np.argmin(is_gap))]
        raise InvalidSubmissionError(
            f"column {column.name!r} holds only single numbers such as {found}, expected {expected}"
        )


def expected_groups(names: tuple[str, ...]) -> str:
    """For messages: what a cell should hold."""
    return f"groups of '{' '.join(names)}'"


@dataclass(frozen=True)
class Cells:
    """Cells that stay texts until some of them are read: the numbers of all would take more memory
    than the file, and to clear that takes longer than to read it."""

    begins: Any
    lengths: Any
    limits: Any
    """See `Places`."""

    starts: Any
    """Which group is the first of each cell; behind them the number of groups."""

    names: tuple[str, ...]
    separator: Separator
    held: Any

    @classmethod
    def of(cls, texts: Any, names: tuple[str, ...], separator: Separator) -> Cells:
        """The cells of a column, in each of which words for all names must stand."""
        places = Places.of(texts)
        counts = np.empty(len(places.begins), np.int64)
        step = max(len(counts) * BLOCK // max(int(places.lengths.sum()), 1), 1)

        def count(first: int) -> None:
            rows = slice(first, min(first + step, len(counts)))
            cells = places.begins[rows], places.lengths[rows]
            _count_in_cells(len(counts[rows]), *cells, separator, counts[rows])

        list(on_blocks(count, range(0, len(counts), step)))
        _make_plain(places, counts)
        groups = counts // len(names)
        _require_whole_groups(counts, groups, names, separator)
        return cls(*places[:3], _starts(groups), names, separator, places.held)

    def __len__(self) -> int:
        return len(self.begins)

    def in_order(self, order: Any) -> Cells:
        """The cells of these rows."""
        columns = {name: getattr(self, name)[order] for name in ("begins", "lengths", "limits")}
        return replace(self, starts=_starts(np.diff(self.starts)[order]), **columns)

    def read(self, first: int, last: int) -> tuple[Any, Any]:
        """Labels and numbers of some cells.

        A label becomes a number, equal for equal ones; the numbers are those of the other words, a
        line per group.
        """
        rows, names, starts = slice(first, last), self.names, self.starts[first : last + 1]
        count = int(starts[-1] - starts[0])
        label = next((place for place, name in enumerate(names) if name in LABELS), NO_LABEL)
        labels = np.empty(count if label != NO_LABEL else 0, np.int64)
        numbers = np.empty((count, len(names) - (label != NO_LABEL)))
        cells = self.begins[rows], self.lengths[rows], self.limits[rows], self.separator, starts
        sides = last - first, *cells, len(names), label, SEED, labels, numbers
        odd = np.empty((FEW_ODD, 3), np.int64)
        found = _read_groups(*sides, odd, len(odd))
        if found > len(odd):
            odd = np.empty((found, 3), np.int64)
            _read_groups(*sides, odd, len(odd))
        if found:
            words = (ctypes.string_at(*place).decode() for place in odd[:found, 1:].tolist())
            numbers.reshape(-1)[odd[:found, 0]] = [_number(word, names) for word in words]
        return labels, numbers


def _starts(counts: Any) -> Any:
    starts = np.zeros(len(counts) + 1, np.int64)
    np.cumsum(counts, out=starts[1:])
    return starts


def _make_plain(places: Places, counts: Any) -> None:
    """Let cells that only Python can split have single blanks between their words."""
    rows = np.flatnonzero(counts == NOT_PLAIN)
    if not len(rows):
        return
    words = [places.text(row).decode().split() for row in rows.tolist()]
    plain = Places.of([" ".join(some) for some in words])
    for column, values in zip(places[:3], plain[:3], strict=True):
        column[rows] = values
    counts[rows] = [len(some) for some in words]
    places.held.append(plain.held)


def _require_whole_groups(
    counts: Any, groups: Any, names: tuple[str, ...], separator: Separator
) -> None:
    cut = np.flatnonzero(counts != groups * len(names))
    if len(cut):
        between = "" if separator == Separator.WHITE_SPACE else " between single blanks"
        raise InvalidSubmissionError(
            f"the list in row {int(cut[0]) + 1} has {int(counts[cut[0]])} words{between},"
            f" expected {expected_groups(names)}"
        )


def _number(word: str, names: tuple[str, ...]) -> float:
    try:
        return float(word)
    except ValueError:
        raise InvalidSubmissionError(
            f"found {word[:60]!r}, expected a number in {expected_groups(names)}"
        ) from None
