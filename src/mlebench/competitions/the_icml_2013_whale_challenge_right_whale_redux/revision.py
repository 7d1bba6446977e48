"""Revision v1.1: what to know about the board and the data."""

from mlebench.revision import EASIER_TEST, Changes

changes = Changes(
    flags=(EASIER_TEST,),
)
