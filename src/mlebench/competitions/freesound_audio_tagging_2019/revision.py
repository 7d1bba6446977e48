"""Revision v1.1: the test labels are public; nothing is changed."""

from mlebench.revision import Changes

changes = Changes(
    flags=("the test labels are part of a public archive (FSDKaggle2019)",),
)
