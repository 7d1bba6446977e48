"""The hold-out for training: the hash of its number decides about each question, for a tenth."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from mlebench.competitions.facebook_recruiting_iii_keyword_extraction.prepare import (
    TEST_SHARE,
    prepare,
)
from mlebench.recipes.holdouts import HoldOut, is_held_out

if TYPE_CHECKING:
    from mlebench.competitions.facebook_recruiting_iii_keyword_extraction.prepare import Rows


def draw_by_hash(count: int) -> tuple[Rows, Rows]:
    """Row numbers of both parts, in the order of the table, which is too large to be sorted."""
    import numpy as np

    found = (is_held_out(str(row), TEST_SHARE) for row in range(count))
    is_test = np.fromiter(found, bool, count)
    return np.flatnonzero(~is_test), np.flatnonzero(is_test)


hold_out = HoldOut(
    tables={},
    archives={"Train.zip": {"Train.csv": "train.csv"}},
    prepare=partial(prepare, drops_repeats=True, draw=draw_by_hash),
)
