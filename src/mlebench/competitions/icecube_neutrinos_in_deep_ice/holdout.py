"""The hold-out for training: batches are drawn by hash."""

from functools import partial

from mlebench.competitions.icecube_neutrinos_in_deep_ice.prepare import prepare
from mlebench.recipes.holdouts import HoldOut, split_hold_out

hold_out = HoldOut(tables={}, prepare=partial(prepare, split=split_hold_out))
