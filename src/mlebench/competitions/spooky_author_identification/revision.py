"""Revision v1.1: rows that do not sum to one are rescaled, as on Kaggle."""

from dataclasses import replace

from mlebench.competitions.spooky_author_identification.competition import rows
from mlebench.formats.values import rescaled_probability_rows
from mlebench.revision import EXTERNAL_COPY, RESCALED_ROWS, Changes

changes = Changes(
    fixes=(RESCALED_ROWS,),
    submission=replace(rows, values=rescaled_probability_rows),
    flags=(EXTERNAL_COPY,),
)
