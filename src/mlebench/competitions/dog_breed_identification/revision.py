"""Revision v1.1: rows that do not sum to one are rescaled, as on Kaggle."""

from dataclasses import replace

from mlebench.competitions.dog_breed_identification.prepare import rows
from mlebench.formats.values import rescaled_probability_rows
from mlebench.revision import RESCALED_ROWS, Changes

changes = Changes(
    fixes=(RESCALED_ROWS,),
    submission=replace(rows, values=rescaled_probability_rows),
    flags=(
        "external copy: the images are also in Stanford Dogs and ImageNet, where people on the"
        " board looked up breeds, so that gold is out of reach without them",
    ),
)
