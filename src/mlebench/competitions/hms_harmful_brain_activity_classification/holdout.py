"""The hold-out for training: patients are drawn by hash already."""

from mlebench.recipes.holdouts import HoldOut

hold_out = HoldOut(tables={})
