"""The hold-out for training: a tenth of the rows instead of a number."""

from functools import partial

from mlebench.competitions.tabular_playground_series_may_2022.revision import prepare
from mlebench.recipes.holdouts import HoldOut

hold_out = HoldOut(prepare=partial(prepare, test_size=0.1), renumbers=True)
