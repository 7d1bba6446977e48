"""The hold-out for training: products are drawn by the hash of their ids."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from mlebench.competitions.cdiscount_image_classification_challenge.prepare import (
    TEST_SHARE,
    prepare,
)
from mlebench.recipes.holdouts import HoldOut, is_held_out

if TYPE_CHECKING:
    import pandas as pd


def split_by_hash(labels: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    is_test = labels["_id"].map(lambda product: is_held_out(str(product), TEST_SHARE))
    return labels[~is_test], labels[is_test]


hold_out = HoldOut(tables={}, prepare=partial(prepare, split=split_by_hash))
