"""The hold-out for training: molecules are drawn by hash."""

from functools import partial

from mlebench.competitions.champs_scalar_coupling.competition import prepare
from mlebench.recipes.holdouts import HoldOut, split_groups_of_hold_out

hold_out = HoldOut(
    tables={},
    prepare=partial(prepare, with_test_geometry=True, split=split_groups_of_hold_out),
)
