"""The hold-out for training: the second of two days."""

from functools import partial

from mlebench.competitions.the_icml_2013_whale_challenge_right_whale_redux.competition import (
    prepare,
)
from mlebench.recipes.holdouts import HoldOut

hold_out = HoldOut(prepare=partial(prepare, days=1), renumbers=True)
