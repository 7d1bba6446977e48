"""Revision v1.1: what to know about the board and the data."""

from mlebench.revision import NEAR_DUPLICATES, Changes

changes = Changes(
    flags=(NEAR_DUPLICATES,),
)
