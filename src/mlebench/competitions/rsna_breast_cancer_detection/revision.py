"""Revision v1.1: likelihoods are numbers from 0 to 1."""

from mlebench.formats import RowPerId
from mlebench.formats.values import probabilities
from mlebench.revision import Changes, Fix

changes = Changes(
    fixes=(
        Fix(
            "values outside 0 to 1 are cut silently, and a gap makes the score 0",
            "each value is a number from 0 to 1, else the file is refused with a reason",
        ),
    ),
    refuses_gaps=True,
    submission=RowPerId(id="prediction_id", target="cancer", values=probabilities),
    passages={
        "a value is empty or text, or all values are below 0. Other values below 0 or above 1"
        " are cut to that range.": "or a value is empty, text or outside 0 to 1.",
        "if a value is empty or text, or if every value is negative. Values are cut to [0, 1]"
        " otherwise.": "or if a value is empty, text or outside [0, 1].",
    },
)
