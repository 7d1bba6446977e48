"""The hold-out for training: the archive of the images has another name."""

from mlebench.recipes.holdouts import HoldOut

hold_out = HoldOut(tables={}, links={"train_val2019.tar.gz": "train_val2019.tar"}, renumbers=True)
