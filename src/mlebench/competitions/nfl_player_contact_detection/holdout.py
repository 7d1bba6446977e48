"""The hold-out for training: plays stay together."""

from mlebench.recipes.holdouts import HoldOut

hold_out = HoldOut(tables={"train_labels.csv": "game_play"})
