"""The hold-out for training: images are in a folder of their archive."""

from mlebench.recipes.holdouts import HoldOut

hold_out = HoldOut(archives={"train.zip": {"train": "train.zip"}})
