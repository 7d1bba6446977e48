"""The hold-out for training: posts are drawn by hash."""

from functools import partial

from mlebench.competitions.random_acts_of_pizza.revision import by_id, prepare
from mlebench.recipes.holdouts import HoldOut, split_hold_out

hold_out = HoldOut(
    tables={}, prepare=partial(prepare, splitting=partial(split_hold_out, key=by_id))
)
