"""Revision v1.1: the numbers of the test images do not follow from the split."""

from functools import partial

from mlebench.competitions.plant_pathology_2020_fgvc7.competition import prepare
from mlebench.revision import Changes, Fix

changes = Changes(
    fixes=(
        Fix(
            "test images are numbered in the order of the split",
            "test images are numbered in the order of the hashes of their bytes",
        ),
    ),
    comparability="near",
    prepare=partial(prepare, numbered_by_hash=True),
    flags=(
        "easier than the board: the test is drawn from Kaggle's training data",
        "near-duplicate pictures may be in train and test: `mlebench audit` counts them",
    ),
)
