"""Revision v1.1: the texts are public; nothing is changed."""

from mlebench.revision import Changes

changes = Changes(
    flags=("the texts are from public books",),
)
