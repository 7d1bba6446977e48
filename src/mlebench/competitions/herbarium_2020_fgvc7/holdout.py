"""The hold-out for training: drawn by hash within each species; images get new numbers."""

from functools import partial

from mlebench.recipes.coco import order_by_hash
from mlebench.recipes.holdouts import HoldOut

hold_out = HoldOut(
    tables={}, make_raw=partial(order_by_hash, "nybg2020/train/metadata.json"), renumbers=True
)
