"""The hold-out for training: pages are in archives, and are drawn by hash."""

from functools import partial

from mlebench.competitions.denoising_dirty_documents.competition import prepare
from mlebench.recipes.holdouts import HoldOut, split_hold_out

hold_out = HoldOut(
    archives={
        "train.zip": {"train": "train"},
        "train_cleaned.zip": {"train_cleaned": "train_cleaned"},
    },
    prepare=partial(prepare, split=split_hold_out),
)
