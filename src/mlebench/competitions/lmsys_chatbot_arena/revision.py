"""Revision v1.1: rows that do not sum to one are rescaled, as on Kaggle."""

from dataclasses import replace

from mlebench.competitions.lmsys_chatbot_arena.competition import rows
from mlebench.formats.values import rescaled_probability_rows
from mlebench.revision import RESCALED_ROWS, Changes

changes = Changes(
    fixes=(RESCALED_ROWS,),
    submission=replace(rows, values=rescaled_probability_rows),
)
