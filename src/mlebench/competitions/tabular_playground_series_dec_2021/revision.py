"""Revision v1.1: cells of another kind are refused."""

from mlebench.revision import CROWDED_BOARD, TEXT_CELLS, Changes

changes = Changes(
    fixes=(TEXT_CELLS,),
    flags=(CROWDED_BOARD,),
)
