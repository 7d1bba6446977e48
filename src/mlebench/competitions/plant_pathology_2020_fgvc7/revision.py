"""Revision v1.1: the numbers of the test images do not follow from the split."""

from functools import partial

from mlebench.competitions.plant_pathology_2020_fgvc7.competition import prepare
from mlebench.revision import EASIER_TEST, NEAR_DUPLICATES, Changes, Fix

changes = Changes(
    fixes=(
        Fix(
            "test images are numbered in the order of the split",
            "test images are numbered in the order of the hashes of their bytes",
        ),
    ),
    comparability="near",
    prepare=partial(prepare, numbered_by_hash=True),
    flags=(EASIER_TEST, NEAR_DUPLICATES),
)
