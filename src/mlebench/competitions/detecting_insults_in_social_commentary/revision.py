"""Revision v1.1: the test labels are public; nothing is changed."""

from mlebench.revision import Changes

changes = Changes(
    flags=("the test labels are a file that Kaggle released; the board has 50 teams",),
)
