"""The hold-out for training: studies are drawn from a table of their own."""

from mlebench.recipes.holdouts import HoldOut

hold_out = HoldOut(tables={"train_study_level.csv": None})
