"""The hold-out for training: images of an archive, drawn by the hash of their names."""

from functools import partial
from operator import attrgetter

from mlebench.competitions.dogs_vs_cats_redux_kernels_edition.competition import prepare_in_order
from mlebench.recipes.hashes import in_hash_order
from mlebench.recipes.holdouts import HoldOut, split_hold_out

hold_out = HoldOut(
    archives={"train.zip": {"train": "train"}},
    prepare=partial(
        prepare_in_order,
        in_hash_order,
        with_zips=False,
        split=partial(split_hold_out, key=attrgetter("name")),
    ),
    renumbers=True,
)
