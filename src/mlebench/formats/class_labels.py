"""Columns of class labels, as scikit-learn's classification metrics interpret them.

To those metrics a column contains texts, whole numbers (`True` and `3.0` included) or no labels.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from mlebench.errors import InvalidSubmissionError
from mlebench.formats.columns import holds
from mlebench.formats.values import Values, numbers, refuse, require, text_cells

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

BEYOND = 2.0**63
"""From here on no float is a whole number for scikit-learn, which converts it to 64 bits."""

EXACT = 2**53
FEW_CLASSES = 2


def whole_numbers(frame: pd.DataFrame) -> NDArray[Any]:
    """Class numbers: `3` and `3.0`, but no fraction, gap or text."""
    if (found := _integers(frame)) is not None:
        return found
    if frame.dtypes.iloc[0] == np.uint64:
        return frame.iloc[:, 0].to_numpy().astype(float)
    return require(frame, numbers(frame), _are_whole, "a whole number below 2^63")


def signed_whole_numbers(frame: pd.DataFrame) -> NDArray[Any]:
    """Class numbers that fit into signed 64-bit integers."""
    return require(frame, whole_numbers(frame), _are_whole, "a whole number below 2^63")


def class_numbers(low: int, high: int) -> Values:
    """Class numbers between two bounds, both included."""

    def check(frame: pd.DataFrame) -> NDArray[Any]:
        expected = f"a whole number from {low} to {high}"
        return require(
            frame, signed_whole_numbers(frame), lambda x: (x >= low) & (x <= high), expected
        )

    return check


def truncated_numbers(frame: pd.DataFrame) -> NDArray[Any]:
    """Class numbers without their fractions: `3.9` is 3; texts must be whole numbers."""
    if (found := _integers(frame)) is not None:
        return found
    column = frame.iloc[:, 0]
    if (cells := text_cells(column)) is not None:
        return _converted(frame, cells)
    found = require(frame, numbers(frame), _are_within, "a number below 2^63")
    return found if holds(lambda rows: bool(_are_whole(rows).all()), found) else np.trunc(found)


def never_equal(frame: pd.DataFrame, truth: Any) -> NDArray[np.float64]:
    """Labels of another kind than the true ones: to an accuracy all of them are wrong.

    With two classes at most on either side scikit-learn compares the classes and stops.
    """
    column = frame.iloc[:, 0]
    if text_cells(column) is not None:
        refuse(frame, column.isna().to_numpy(), "a label")
    elif column.dtype != np.uint64:
        signed_whole_numbers(frame)
    is_few = column.nunique() <= FEW_CLASSES
    if is_few and len(np.unique(np.asarray(truth))) <= FEW_CLASSES:
        raise InvalidSubmissionError(
            f"column {column.name!r} holds labels of another kind than the answers, such as"
            f" {str(column.iloc[0])[:60]!r}"
        )
    return np.full(len(column), np.nan)


def _converted(frame: pd.DataFrame, cells: list[Any]) -> NDArray[np.int64]:
    """Whole numbers in a column of texts."""
    found = np.empty(len(cells), np.int64)
    for row, cell in enumerate(cells):
        try:
            found[row] = int(cell)
        except (ValueError, TypeError, OverflowError):
            wrong = np.zeros(len(cells), bool)
            wrong[row] = True
            refuse(frame, wrong, "a whole number below 2^63")
    return found


def _are_whole(numbers: NDArray[Any]) -> NDArray[np.bool_]:
    return np.asarray(_are_within(numbers) & (numbers == np.floor(numbers)))


def _are_within(numbers: NDArray[Any]) -> NDArray[np.bool_]:
    return (numbers >= -BEYOND) & (numbers < BEYOND)


def _integers(frame: pd.DataFrame) -> NDArray[np.int64] | None:
    """The only column as it is, if floats represent all of its whole numbers exactly; else None."""
    found = frame.iloc[:, 0].to_numpy()
    is_integer = frame.shape[1] == 1 and found.dtype == np.int64
    if is_integer and holds(lambda rows: rows.min() >= -EXACT and rows.max() <= EXACT, found):
        return found
    return None
