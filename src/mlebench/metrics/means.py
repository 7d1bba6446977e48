"""Values of many rows, computed block by block on all processors."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from mlebench.metrics.base import Measured, mean_of
from mlebench.system.threads import fill_blocks

if TYPE_CHECKING:
    from numpy.typing import NDArray

ROWS_AT_ONCE = 1 << 15


def mean_of_rows(values: Callable[[slice], NDArray[np.float64]], rows: int) -> Measured:
    """numpy's mean of what a function returns for each row; NaN without rows.

    The values of all rows are held, but what the function needs to compute them only for a block.
    """
    if not rows:
        return Measured(float("nan"))
    found = np.empty(rows)

    def fill(first: int) -> None:
        part = slice(first, min(first + ROWS_AT_ONCE, rows))
        found[part] = values(part)

    fill_blocks(fill, range(0, rows, ROWS_AT_ONCE))
    return mean_of(found)
