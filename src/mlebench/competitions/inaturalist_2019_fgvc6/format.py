"""Class numbers, or lists of them of which only the first counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mlebench.formats.values import refuse, text_cells

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

LARGEST = 2**63 - 1


def first_whole_numbers(frame: pd.DataFrame) -> NDArray[np.int64]:
    """The first number of each cell.

    Not even `12.0` is one: the published grader takes no number that reads as a float.
    """
    column = frame.iloc[:, 0]
    cells = text_cells(column)
    if cells is not None:
        return _first_of_lists(frame, cells)
    found = column.to_numpy()
    is_whole = found.dtype.kind in "iub"
    wrong = found > LARGEST if is_whole else np.ones(len(found), bool)
    refuse(frame, wrong, "a whole number without decimal point")
    return found.astype(np.int64)


def _first_of_lists(frame: pd.DataFrame, cells: list[object]) -> NDArray[np.int64]:
    found = np.zeros(len(cells), np.int64)
    for row, cell in enumerate(cells):
        try:
            found[row] = int(str(cell).split()[0])
        except (ValueError, IndexError, OverflowError):
            wrong = np.arange(len(cells)) == row
            refuse(frame, wrong, "a whole number, or a list that starts with one")
    return found
