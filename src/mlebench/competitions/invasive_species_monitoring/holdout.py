"""The hold-out for training: images are drawn by the hash of their numbers."""

from functools import partial

from mlebench.competitions.invasive_species_monitoring.competition import prepare
from mlebench.recipes import with_public_sample
from mlebench.recipes.holdouts import HoldOut, split_groups_of_hold_out

hold_out = HoldOut(
    tables={},
    prepare=with_public_sample(
        partial(prepare, is_sorted=True, split=partial(split_groups_of_hold_out, column="name"))
    ),
)
