"""Revision v1.1: grades are 0 to 4, and weigh by their values."""

from mlebench.formats import RowPerId
from mlebench.formats.class_labels import class_numbers
from mlebench.metrics import quadratic_kappa_of_values
from mlebench.revision import NEAR_DUPLICATES, Changes, Fix

changes = Changes(
    fixes=(
        Fix(
            "grades outside 0 to 4 are accepted as further labels, and kappa weighs"
            " labels by their place among those found",
            "grades are whole numbers from 0 to 4, and kappa weighs their values",
        ),
    ),
    submission=RowPerId(id="id_code", target="diagnosis", values=class_numbers(0, 4)),
    metric=quadratic_kappa_of_values,
    flags=(NEAR_DUPLICATES,),
    passages={
        "Sort all grades that occur in the predictions … in that list. With O[i][j] the"
        " number of pictures predicted i and graded j,": (
            "With O[i][j] the number of pictures predicted i and graded j, for the grades 0 to 4,"
        ),
        "A grade outside 0 to 4 is not refused but becomes a further position, which only costs.": (
            "A grade outside 0 to 4 is refused."
        ),
        "Take the sorted list of all grades that occur on either side; i and j are positions"
        " in that list, O[i][j] counts": "For grades i and j from 0 to 4, O[i][j] counts",
        "Answers outside the scale are not refused; they lengthen the list and lower the score.": (
            "Answers outside the scale are refused."
        ),
    },
)
