"""Revision v1.1: scores are 1 to 6, and weigh by their values."""

from mlebench.formats import RowPerId
from mlebench.formats.class_labels import class_numbers
from mlebench.metrics import quadratic_kappa_of_values
from mlebench.revision import CROWDED_BOARD, DRAWN_SAMPLE, EASIER_TEST, Changes, Fix

changes = Changes(
    fixes=(
        Fix(
            "scores outside 1 to 6 are accepted as further labels, and kappa weighs"
            " labels by their place among those found",
            "scores are whole numbers from 1 to 6, and kappa weighs their values",
        ),
        DRAWN_SAMPLE,
    ),
    flags=(CROWDED_BOARD, EASIER_TEST),
    submission=RowPerId(id="essay_id", target="score", values=class_numbers(1, 6)),
    metric=quadratic_kappa_of_values,
    has_drawn_sample=True,
    passages={
        "Let the labels be all values found in the predictions or in the answers, … with"
        " predicted label i and true label j,": (
            "For scores i and j from 1 to 6, O[i][j] is the number of essays with predicted"
            " score i and true score j,"
        ),
        "- Scores outside 1 to 6 are not refused; … is left out of the list.": (
            "- Scores outside 1 to 6 are refused."
        ),
        "Sort all labels that occur among predictions or true grades and number them by"
        " position. With O the table of counts (predicted label i, true label j)": (
            "With O the table of counts (predicted grade i, true grade j, both from 1 to 6)"
        ),
        "- The distance is counted in positions of that list, … becomes one more position.": (
            "- The distance is that of the grades. A prediction outside 1 to 6 is refused."
        ),
    },
)
