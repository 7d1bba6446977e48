"""The hold-out for training: table and geometries are in archives."""

from mlebench.recipes.holdouts import HoldOut

hold_out = HoldOut(
    archives={
        "train.csv.zip": {"train.csv": "train.csv"},
        "train.zip": {"train": "train"},
    },
    renumbers=True,
)
