"""The hold-out for training: patients are drawn by hash."""

from functools import partial

from mlebench.competitions.osic_pulmonary_fibrosis_progression.revision import prepare
from mlebench.recipes.holdouts import HoldOut, split_groups_of_hold_out

hold_out = HoldOut(tables={}, prepare=partial(prepare, split=split_groups_of_hold_out))
