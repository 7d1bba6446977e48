"""Revision v1.1: the texts are public; nothing is changed."""

from dataclasses import replace

from mlebench.competitions.spooky_author_identification.competition import rows
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
        "external copy: the source is public, so that pretrained models may have seen test items",
    ),
)
