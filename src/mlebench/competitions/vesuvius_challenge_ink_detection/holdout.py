"""The hold-out for training: the second of two fragments."""

from functools import partial

from mlebench.competitions.vesuvius_challenge_ink_detection.competition import prepare
from mlebench.recipes.holdouts import HoldOut

hold_out = HoldOut(prepare=partial(prepare, shown=("1",), hidden="2"), renumbers=True)
