"""Revision v1.1: what the leaky data may overlap with; nothing is changed."""

from mlebench.revision import Changes

changes = Changes(
    flags=("old_leaky_data has labels, as on Kaggle; it may share signals with the test part",),
)
