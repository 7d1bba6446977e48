"""Revision v1.1: the images come from a public collection; nothing is changed."""

from dataclasses import replace

from mlebench.competitions.dog_breed_identification.prepare import rows
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
    flags=(
        "external copy: the images are also in Stanford Dogs and ImageNet, where people on the"
        " board looked up breeds, so that gold is out of reach without them",
    ),
)
