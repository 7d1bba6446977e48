"""The hold-out for training: table and pictures are in archives."""

from mlebench.recipes.holdouts import HoldOut

hold_out = HoldOut(
    archives={
        "train.csv.zip": {"train.csv": "train.csv"},
        "images.zip": {"images": "images"},
    }
)
