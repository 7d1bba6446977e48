"""Revision v1.1: rows that do not sum to one are rescaled, as on Kaggle."""

from dataclasses import replace

from mlebench.competitions.lmsys_chatbot_arena.competition import rows
from mlebench.formats.values import rescaled_probability_rows
from mlebench.revision import Changes, Fix

changes = Changes(
    fixes=(
        Fix(
            "rows of probabilities that do not sum to 1 are refused, which Kaggle rescaled",
            "such rows are divided by their sum",
        ),
    ),
    submission=replace(rows, values=rescaled_probability_rows),
)
