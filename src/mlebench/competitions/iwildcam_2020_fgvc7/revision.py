"""Revision v1.1: cells of another kind are refused."""

from mlebench.revision import Changes, Fix

changes = Changes(
    fixes=(
        Fix(
            "one cell of text turns the column into text, and the score is 0",
            "a cell that is no whole number is refused with a reason",
        ),
        Fix(
            "the guesses of the sample submission are drawn in the order of the split, so that they"
            " tell each row's place in it",
            "rows take the guesses in the order of their ids",
        ),
    ),
    flags=("easier than the board: the test is drawn from Kaggle's training data",),
    has_drawn_sample=True,
)
