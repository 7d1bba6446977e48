"""Revision v1.1: what to know about the board and the data."""

from mlebench.revision import Changes, Noisy

changes = Changes(
    flags=("a coin wins bronze in 16 % of attempts",),
    noisy=Noisy(
        59,
        "test patients",
        "a run has one train part, in which the labels of the other folds would be",
    ),
)
