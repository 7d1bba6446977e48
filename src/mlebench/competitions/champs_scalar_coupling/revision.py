"""Revision v1.1: the geometry of the test molecules is public, as on Kaggle."""

from functools import partial

from mlebench.competitions.champs_scalar_coupling.competition import prepare
from mlebench.revision import Changes, Fix

changes = Changes(
    fixes=(
        Fix(
            "structures.csv and structures/ lack the test molecules, without which the board's"
            " scores are out of reach",
            "the geometry of all molecules is delivered; the other tables by molecule are for"
            " train only",
            "#70",
        ),
        Fix(
            "an id may occur any number of times and counts each time",
            "each id as often as in the sample submission; the error of a type counts as at least"
            " 1e-9",
        ),
    ),
    comparability="near",
    note=(
        "`structures.csv` and `structures/` have the positions of the atoms of the test molecules,"
        " too."
    ),
    prepare=partial(prepare, with_test_geometry=True),
)
