"""The hold-out for training: about a tenth of the rides, by the hash of their keys."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from mlebench.archives.raw import Raw
from mlebench.competitions.new_york_city_taxi_fare_prediction.revision import prepare
from mlebench.recipes.holdouts import HoldOut, held_out_rows

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SHARE = 0.1


def draw_by_hash(table: Raw, count: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    with table.open() as lines:
        next(lines)
        return held_out_rows((line.partition(b",")[0] for line in lines), count, SHARE)


hold_out = HoldOut(
    tables={}, prepare=partial(prepare, draw_from=lambda table: partial(draw_by_hash, table))
)
