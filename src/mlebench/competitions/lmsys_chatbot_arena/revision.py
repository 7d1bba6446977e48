"""Revision v1.1: rows that do not sum to one are rescaled, as on Kaggle."""

from dataclasses import replace

from mlebench.competitions.lmsys_chatbot_arena.competition import rows
from mlebench.formats.values import rescaled_probability_rows
from mlebench.revision import RESCALED_ROWS, Changes

changes = Changes(
    fixes=(RESCALED_ROWS,),
    submission=replace(rows, values=rescaled_probability_rows),
    passages={
        "Values are probabilities, and **each row must sum to 1 when the sum is rounded to"
        " six decimals**.": (
            "Values are probabilities; a row that does not sum to 1 is divided by its sum."
        ),
        "a row's sum is off by more than 5e-7, or the ids are not exactly the test ids. Three"
        " times 0.33 is refused. Divide each row by its sum in double precision and write all"
        " digits.": "all values of a row are 0, or the ids are not exactly the test ids.",
        "The three values are probabilities. Their sum, rounded to six decimals, must be"
        " exactly 1.": (
            "The three values are probabilities; a row that does not sum to 1 is divided by"
            " its sum."
        ),
        "or if a sum is off by more than 5e-7 (0.33 three times is). Normalise in double"
        " precision and print every digit.": "or if all values of a row are 0.",
    },
)
