"""Revision v1.1: rows that do not sum to one are rescaled, as on Kaggle."""

from dataclasses import replace

from mlebench.competitions.spooky_author_identification.competition import rows
from mlebench.formats.values import rescaled_probability_rows
from mlebench.revision import EXTERNAL_COPY, RESCALED_ROWS, Changes

changes = Changes(
    fixes=(RESCALED_ROWS,),
    submission=replace(rows, values=rescaled_probability_rows),
    flags=(EXTERNAL_COPY,),
    passages={
        "The three probabilities of a row must sum to 1 within 1.1e-5.": (
            "A row whose three probabilities do not sum to 1 is divided by its sum."
        ),
        "or a row does not sum to 1. Rows are not rescaled for you.": (
            "or all values of a row are 0."
        ),
        "Each row holds probabilities that sum to 1; deviations up to 1.1e-5 are tolerated.": (
            "Each row holds probabilities; a row that does not sum to 1 is divided by its sum."
        ),
        "or if a row does not sum to 1. No rescaling takes place.": (
            "or if all values of a row are 0."
        ),
    },
)
