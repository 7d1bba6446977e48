"""Revision v1.1: each segment once."""

from mlebench.formats import RowPerId
from mlebench.revision import Changes, Fix

changes = Changes(
    fixes=(
        Fix(
            "a segment may occur any number of times and counts as often, so that rows a model is"
            " sure of outweigh the others",
            "each segment once",
        ),
    ),
    flags=("easier than the board: the test is drawn from Kaggle's training data",),
    submission=RowPerId(id="segment_id", target="time_to_eruption"),
)
