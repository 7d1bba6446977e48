"""Revision v1.1: the numbers of the test images do not follow from the split."""

from functools import partial

from mlebench.competitions.herbarium_2021_fgvc8.competition import prepare
from mlebench.revision import Changes, Fix

changes = Changes(
    fixes=(
        Fix(
            "test images are numbered by one shuffle of category blocks with a public seed, and"
            " the lengths of the blocks follow from train",
            "test images are numbered in the order of the hashes of their bytes",
        ),
    ),
    comparability="near",
    prepare=partial(prepare, numbered_by_hash=True),
    flags=("easy bronze: 0.13026, where the median is 0.05155",),
)
