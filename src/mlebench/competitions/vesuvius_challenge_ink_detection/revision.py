"""Revision v1.1: what to know about the board and the data."""

from mlebench.revision import Changes

changes = Changes(
    flags=(
        "the board is Kaggle's public one, of 1,250 teams",
        "noisy: one test fragment, so that chance decides medals",
    ),
)
