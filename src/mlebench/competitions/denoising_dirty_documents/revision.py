"""Revision v1.1: what to know about the board and the data."""

from mlebench.revision import Changes, Noisy

changes = Changes(
    noisy=Noisy(
        29,
        "test pages",
        "a run has one train part, in which the clean pages of the other folds would be",
    ),
)
