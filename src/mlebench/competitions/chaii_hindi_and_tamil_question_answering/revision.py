"""Revision v1.1: what to know about the board and the data."""

from mlebench.revision import Changes

changes = Changes(
    flags=("crowded board: 27 % of the teams have the score of one public baseline",),
)
