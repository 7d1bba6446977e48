"""Revision v1.1: what to know about the board and the data."""

from mlebench.revision import Changes, Noisy, shown_in_train

changes = Changes(
    noisy=Noisy(29, "test pages", shown_in_train("clean pages")),
)
