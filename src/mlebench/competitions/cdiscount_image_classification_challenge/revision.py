"""Revision v1.1: cells of another kind are refused."""

from mlebench.revision import Changes, Fix

changes = Changes(
    fixes=(
        Fix(
            "one cell of text turns the column into text, and the score is 0",
            "a cell that is no whole number is refused with a reason",
        ),
    ),
    scoring="withdrawn",
    reason="the sponsor has withdrawn the data, so that Kaggle refuses new downloads",
)
