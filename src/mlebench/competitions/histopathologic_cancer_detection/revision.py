"""Revision v1.1: patches of one slide are in both parts; nothing is changed."""

from mlebench.revision import Changes

changes = Changes(
    flags=("patches of one slide are in train and test, since the data has no slide ids",),
)
