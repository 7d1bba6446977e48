"""The hold-out for training: the table is in an archive; the draw is by hash already."""

from mlebench.recipes.holdouts import HoldOut

hold_out = HoldOut(tables={}, archives={"Train.zip": {"Train.csv": "train.csv"}})
