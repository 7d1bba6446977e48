"""The hold-out for training: breaths are drawn by hash."""

from functools import partial

from mlebench.competitions.ventilator_pressure_prediction.competition import prepare
from mlebench.recipes.holdouts import HoldOut, split_groups_of_hold_out

hold_out = HoldOut(
    tables={}, prepare=partial(prepare, is_sorted=True, split=split_groups_of_hold_out)
)
