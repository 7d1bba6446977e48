"""The hold-out for training: the hash of its key decides about each ride, for about a tenth."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from mlebench.archives.raw import Raw
from mlebench.competitions.new_york_city_taxi_fare_prediction.revision import prepare
from mlebench.recipes.holdouts import HoldOut, is_held_out

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SHARE = 0.1


def draw_by_hash(table: Raw, count: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Row numbers of both parts, in the order of the table, which is too large to be sorted."""
    import numpy as np

    with table.open() as lines:
        next(lines)
        found = (is_held_out(line.partition(b",")[0], SHARE) for line in lines)
        is_test = np.fromiter(found, bool, count)
    return np.flatnonzero(~is_test), np.flatnonzero(is_test)


hold_out = HoldOut(
    tables={}, prepare=partial(prepare, draw_from=lambda table: partial(draw_by_hash, table))
)
