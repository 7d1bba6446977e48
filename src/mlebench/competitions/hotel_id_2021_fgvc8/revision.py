"""Revision v1.1: what to know about the board and the data."""

from mlebench.revision import Changes

changes = Changes(
    flags=(
        "easy bronze: 0.0216, where the median is 0.0006 and the sample submission is above it",
        "near-duplicate pictures may be in train and test: `mlebench audit` counts them",
    ),
)
