"""Revision v1.1: cells of another kind are refused."""

from mlebench.revision import Changes, Fix

changes = Changes(
    fixes=(
        Fix(
            "one cell of text turns the column into text, and the score is 0",
            "a cell that is no whole number is refused with a reason",
        ),
    ),
    flags=("easier than the board: the test is drawn from Kaggle's training data",),
)
