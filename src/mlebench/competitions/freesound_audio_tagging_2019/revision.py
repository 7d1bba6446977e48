"""Revision v1.1: the test labels are public; nothing is changed."""

from mlebench.revision import Changes

changes = Changes(
    flags=("external copy: the test labels are in the public archive FSDKaggle2019",),
)
