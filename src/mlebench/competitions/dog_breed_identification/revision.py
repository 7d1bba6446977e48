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
    passages={
        "and **each row must sum to 1** within 1.1e-5.": (
            "and a row that does not sum to 1 is divided by its sum."
        ),
        "a row does not sum to 1, a value is empty,": (
            "all values of a row are 0, a value is empty,"
        ),
        "Rows are not rescaled for you: write enough digits. With 120 columns rounded to four"
        " digits most rows miss the sum.": "",
        "The values of a row are probabilities and must add up to 1, with a tolerance of 1.1e-5.": (
            "The values of a row are probabilities; a row that does not add up to 1 is"
            " divided by its sum."
        ),
        "or if a row misses the sum. Nobody rescales the rows for you, so do not round to a"
        " few digits.": "or if all values of a row are 0.",
    },
)
