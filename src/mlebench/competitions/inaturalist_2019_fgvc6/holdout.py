"""The hold-out for training: drawn by hash within each species, from an archive of another name."""

from functools import partial

from mlebench.recipes.coco import order_by_hash
from mlebench.recipes.holdouts import HoldOut

hold_out = HoldOut(
    tables={},
    links={"train_val2019.tar.gz": "train_val2019.tar"},
    make_raw=partial(order_by_hash, "train2019.json"),
    renumbers=True,
)
