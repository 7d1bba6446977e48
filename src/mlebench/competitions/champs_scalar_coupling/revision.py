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
    metric=log_mean_absolute_error_by_group(floor=1e-9, of_each=True),
    prepare=partial(prepare, with_test_geometry=True),
    passages={
        "If any type is exactly right the score is −20.7233, the lowest there is.": (
            "The error of a type counts as at least 1e-9."
        ),
        "The score cannot fall below −20.7233, and it is that as soon as one type has no error"
        " at all.": ("The error of a type counts as at least 1e-9."),
        "positions of all atoms, training molecules |": (
            "positions of all atoms, training and test molecules |"
        ),
        "atoms and coordinates, training molecules only |": (
            "atoms and coordinates, training and test molecules |"
        ),
        "**No structure is given for the test molecules**: of these you know the listed"
        " pairs, their types and the indices. Molecules": (
            "The structures of the test molecules are given; the other tables have the"
            " training molecules only. Molecules"
        ),
        "Be aware that **the geometry of test molecules is not available**. All you have of"
        " them are the listed pairs with indices and types. No molecule": (
            "The geometry of the test molecules is given, too. No molecule"
        ),
        "An id that stands twice is not refused but counts twice: avoid it.": (
            "An id that occurs twice is refused."
        ),
        "Repeated ids are counted repeatedly rather than refused.": "Repeated ids are refused.",
        "- From the pairs you can rebuild much of the graph … similar environments in train.": (
            "- Distances and angles from the structures explain most of a coupling; models"
            " that see a molecule as a graph in space do best."
        ),
        "- So derive features of the graph from the pairs, in train and test alike, and learn"
        " from them; use": (
            "- Derive features from geometry and graph, in train and test alike, and learn"
            " from them; use"
        ),
    },
)
