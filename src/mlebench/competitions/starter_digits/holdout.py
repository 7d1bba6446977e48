"""The hold-out for training: other names, and a fifth of the digits."""

from functools import partial

from mlebench.competitions.starter_digits.competition import prepare
from mlebench.recipes.holdouts import HoldOut

hold_out = HoldOut(
    tables={"train_labels.csv": None},
    links={"labels.csv": "train_labels.csv", "images": "train"},
    prepare=partial(prepare, test_size=0.2),
)
