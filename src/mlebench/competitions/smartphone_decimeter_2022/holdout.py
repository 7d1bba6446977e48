"""The hold-out for training: dates of drives are drawn by hash."""

from functools import partial

from mlebench.competitions.smartphone_decimeter_2022.prepare import prepare
from mlebench.competitions.smartphone_decimeter_2022.revision import is_shown
from mlebench.recipes.holdouts import HoldOut, split_hold_out

hold_out = HoldOut(tables={}, prepare=partial(prepare, is_shown=is_shown, split=split_hold_out))
