"""Revision v1.1: the numbers of the test images do not follow from the split."""

from functools import partial

from mlebench.competitions.dogs_vs_cats_redux_kernels_edition.competition import prepare_in_order
from mlebench.recipes.hashes import in_hash_order
from mlebench.revision import Changes, Fix

changes = Changes(
    fixes=(
        Fix(
            "test images are numbered as a public seed shuffles a list of all cats before all"
            " dogs, so every number tells the animal",
            "test images are numbered in the order of the hashes of their bytes",
        ),
        Fix(
            "every image is public twice, in a folder and in a zip",
            "train.zip and test.zip are left out",
        ),
    ),
    comparability="near",
    prepare=partial(prepare_in_order, in_hash_order, with_zips=False),
    passages={
        "| `train.zip`, `test.zip` | the same files again, zipped, without a folder inside | |": "",
        "| `train.zip`, `test.zip` | the same pictures once more as archives without inner"
        " folder | |": "",
    },
)
