"""Revision v1.1: what to know about the board and the data."""

from mlebench.revision import Changes

changes = Changes(
    flags=("near-duplicate pictures may be in train and test: `mlebench audit` counts them",),
)
