"""Revision v1.1: what to know about the board and the data."""

from mlebench.revision import Changes

changes = Changes(
    flags=("crowded board: bronze and gold are closer than the sampling error of a score",),
)
