"""The hold-out for training: recordings are in an archive; speakers are drawn by hash already."""

from mlebench.recipes.holdouts import HoldOut

hold_out = HoldOut(archives={"train.7z": {"train": "train"}}, renumbers=True)
