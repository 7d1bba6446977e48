"""Revision v1.1: what to know about the board and the data."""

from mlebench.revision import Changes, Noisy, shown_in_train

changes = Changes(
    flags=("a coin wins bronze in 16 % of attempts",),
    noisy=Noisy(59, "test patients", shown_in_train("labels")),
)
