"""Revision v1.1: rows that do not sum to one are rescaled, as on Kaggle."""

from dataclasses import replace

from mlebench.competitions.leaf_classification.prepare import rows
from mlebench.formats.values import rescaled_probability_rows
from mlebench.revision import EXTERNAL_COPY, RESCALED_ROWS, Changes, Noisy, shown_in_train

changes = Changes(
    fixes=(RESCALED_ROWS,),
    submission=replace(rows, values=rescaled_probability_rows),
    flags=(
        "all or nothing: gold is a log loss of 0.0, which needs perfect certainty",
        EXTERNAL_COPY,
    ),
    noisy=Noisy(99, "test rows", shown_in_train("species")),
    passages={
        "and **each row must sum to 1** (within 1.1e-5).": (
            "and a row that does not sum to 1 is divided by its sum."
        ),
        "or a row does not sum to 1. Rows are not rescaled for you.": (
            "or all values of a row are 0."
        ),
        "are probabilities from 0 to 1 and **must add up to 1**, with a tolerance of 1.1e-5;"
        " nobody rescales them afterwards.": (
            "are probabilities from 0 to 1; a row that does not add up to 1 is divided by its sum."
        ),
        "below 0 or above 1; rows with another sum.": "below 0 or above 1; rows of zeros.",
    },
)
