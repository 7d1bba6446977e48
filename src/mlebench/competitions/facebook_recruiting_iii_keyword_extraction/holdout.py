"""The hold-out for training: about a tenth of the questions, by the hash of their numbers."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from mlebench.competitions.facebook_recruiting_iii_keyword_extraction.prepare import (
    TEST_SHARE,
    prepare,
)
from mlebench.recipes.holdouts import HoldOut, held_out_rows

if TYPE_CHECKING:
    from mlebench.competitions.facebook_recruiting_iii_keyword_extraction.prepare import Rows


def draw_by_hash(count: int) -> tuple[Rows, Rows]:
    return held_out_rows(map(str, range(count)), count, TEST_SHARE)


hold_out = HoldOut(
    tables={},
    archives={"Train.zip": {"Train.csv": "train.csv"}},
    prepare=partial(prepare, drops_repeats=True, draw=draw_by_hash),
)
