"""Types of columns as pandas 2.2 finds them, where a later pandas finds others.

Since pandas 3 whole numbers beyond 64 bits are numbers, and decimals beyond the range of a float
are infinite; in pandas 2.2, with which the published scores are made, both make a column of texts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from typing import TYPE_CHECKING

import numpy as np

from mlebench.tables.reading import GAPS

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    Values = list[str | float] | NDArray[np.float64]

LEADING = re.compile(r"[ \t\n\v\f\r]*([+-]?)([0-9]+)")
WHOLE = re.compile(r"[ \t\n\v\f\r]*[+-]?[0-9]+[ \t\n\v\f\r]*")
DECIMAL = re.compile(r"\s*[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?\s*", re.ASCII)
SMALLEST, LARGEST, LARGEST_UNSIGNED = -(2**63), 2**63 - 1, 2**64 - 1
MAX_DIGITS = 40
"""This many digits make any number too large; Python refuses to parse thousands of them."""


class _Failure(Enum):
    """Why a cell is not a whole number."""

    OVERFLOW = "overflow"
    INVALID = "invalid"


def with_published_types(
    table: pd.DataFrame, read_texts: Callable[[], pd.DataFrame]
) -> tuple[pd.DataFrame, list[str]]:
    """The table with the columns that pandas 2.2 types otherwise, and the names of those.

    Args:
        read_texts: reads all cells of the same table as texts, gaps included; called if needed.
    """
    import pandas as pd

    if int(pd.__version__.split(".")[0]) < 3:
        return table, []
    suspects = [k for k, (_, column) in enumerate(table.items()) if _is_suspect(column)]
    if not suspects:
        return table, []
    cells = read_texts()
    columns = {k: table.iloc[:, k] for k in range(table.shape[1])}
    retyped = []
    for k in suspects:
        values = published_values(cells.iloc[:, k].tolist())
        if values is not None:
            kind = "float64" if isinstance(values, np.ndarray) else "str"
            columns[k] = pd.Series(values, dtype=kind)
            retyped.append(str(table.columns[k]))
    result = pd.DataFrame(columns)
    result.columns = table.columns
    return result, retyped


def _is_suspect(column: pd.Series) -> bool:
    """Whether a column may contain a number beyond 64 bits or beyond the range of floats."""
    if column.dtype.kind == "f":
        return bool((np.abs(column.to_numpy()) >= 2.0**63).any())
    if column.dtype.kind != "O":
        return False
    if column.dtype == object:
        return any(type(value) is int for value in column)
    cells = (cell for cell in column.array if isinstance(cell, str) and cell not in GAPS)
    return _first_failure(cells, SMALLEST, LARGEST) is _Failure.OVERFLOW


def published_values(cells: Sequence[str]) -> Values | None:
    """The values of a column in pandas 2.2; none where every pandas finds the same."""
    kept = [cell for cell in cells if cell not in GAPS]
    has_gap = len(kept) < len(cells)
    failure = _first_failure(kept, SMALLEST, LARGEST)
    if failure is None:
        return _floats(cells) if has_gap else None
    if failure is _Failure.OVERFLOW:
        unsigned = [cell for cell in kept if not cell.lstrip().startswith("-")]
        has_negative = len(unsigned) < len(kept)
        failure = _first_failure(unsigned, 0, LARGEST_UNSIGNED)
        if failure is _Failure.OVERFLOW:
            return _texts(cells)
        if failure is None:
            if (has_negative or has_gap) and any(_whole(cell) > LARGEST for cell in unsigned):
                # Here pandas 2.2 leaves even gaps as they are.
                return list(cells)
            return _texts(cells) if has_negative else None
    return _texts(cells) if any(map(_is_infinite, kept)) else None


def _first_failure(cells: Iterable[str], smallest: int, largest: int) -> _Failure | None:
    """What the first cell is that is not a whole number in the range.

    Digits are counted before what follows them is looked at: `99999999999999999999.5` overflows.
    """
    for cell in cells:
        if not LEADING.match(cell):
            return _Failure.INVALID
        if not smallest <= _whole(cell) <= largest:
            return _Failure.OVERFLOW
        if not WHOLE.fullmatch(cell):
            return _Failure.INVALID
    return None


def _whole(cell: str) -> int:
    """The number that a cell begins with."""
    found = LEADING.match(cell)
    if found is None:
        raise ValueError(f"{cell!r} does not begin with a whole number")
    sign, digits = found.groups()
    return int(sign + (digits.lstrip("0")[:MAX_DIGITS] or "0"))


def _is_infinite(cell: str) -> bool:
    """Whether a decimal is too large for a float; only the positive ones make texts."""
    return bool(DECIMAL.fullmatch(cell)) and float(cell) == np.inf


def _texts(cells: Sequence[str]) -> list[str | float]:
    return [np.nan if cell in GAPS else cell for cell in cells]


def _floats(cells: Sequence[str]) -> NDArray[np.float64]:
    """Whole numbers with gaps; pandas 2.2 marks gaps with the smallest whole number."""
    numbers = [SMALLEST if cell in GAPS else _whole(cell) for cell in cells]
    return np.array([np.nan if number == SMALLEST else number for number in numbers], np.float64)
