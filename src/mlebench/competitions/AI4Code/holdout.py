"""The hold-out for training: families in the order of their hashes, a seventh of the notebooks."""

from functools import partial

from mlebench.competitions.AI4Code.families import prepare
from mlebench.recipes.holdouts import HoldOut

hold_out = HoldOut(
    tables={"train_ancestors.csv": "ancestor_id"}, prepare=partial(prepare, test_size=1 / 7)
)
