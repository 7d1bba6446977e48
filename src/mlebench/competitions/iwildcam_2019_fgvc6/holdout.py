"""The hold-out for training: locations stay together."""

from mlebench.recipes.holdouts import HoldOut

hold_out = HoldOut(tables={"train.csv": "location"})
