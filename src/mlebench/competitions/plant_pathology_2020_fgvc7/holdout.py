"""The hold-out for training: images get new numbers."""

from mlebench.recipes.holdouts import HoldOut

hold_out = HoldOut(renumbers=True)
