"""Revision v1.1: the geometry of the test molecules is public, as on Kaggle."""

from functools import partial

from mlebench.competitions.champs_scalar_coupling.competition import prepare
from mlebench.metrics import log_mean_absolute_error_by_group
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
            "each id as often as in the sample submission",
        ),
        Fix(
            "one type without an error makes the mean over all types as low as it can be",
            "the error of a type counts as at least 1e-9, as on Kaggle",
        ),
    ),
    comparability="near",
    note=(
        "`structures.csv` and `structures/` have the positions of the atoms of the test molecules,"
        " too."
    ),
    metric=log_mean_absolute_error_by_group(floor=1e-9, of_each=True),
    prepare=partial(prepare, with_test_geometry=True),
)
