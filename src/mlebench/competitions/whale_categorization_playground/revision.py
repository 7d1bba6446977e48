"""Revision v1.1: every image has a guess; what to know about the data."""

from mlebench.formats import TextPerId
from mlebench.formats.values import texts_without_gaps
from mlebench.revision import NEAR_DUPLICATES, Changes, Fix

changes = Changes(
    fixes=(Fix("an empty cell is a guess that matches no whale", "every image has a guess"),),
    flags=(NEAR_DUPLICATES,),
    refuses_gaps=True,
    submission=TextPerId(id="Image", target="Id", values=texts_without_gaps, exact_columns=True),
    passages={
        "The guesses are never refused: an empty cell is just wrong.": (
            "An empty cell is refused."
        ),
        "A blank cell counts as a wrong guess.": ("A blank cell is refused."),
    },
)
