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
    prepare=partial(prepare, with_test_geometry=True),
    passages={
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
