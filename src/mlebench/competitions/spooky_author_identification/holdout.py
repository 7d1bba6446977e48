"""The hold-out for training: the table is in an archive."""

from mlebench.recipes.holdouts import HoldOut

hold_out = HoldOut(archives={"train.zip": {"train.csv": "train.csv"}})
