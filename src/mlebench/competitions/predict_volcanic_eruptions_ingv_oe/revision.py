"""Revision v1.1: each segment once."""

from mlebench.formats import RowPerId
from mlebench.revision import EASIER_TEST, Changes, Fix

changes = Changes(
    fixes=(
        Fix(
            "a segment may occur any number of times and counts each time, so that rows a model is"
            " sure of outweigh the others",
            "each segment once",
        ),
    ),
    flags=(EASIER_TEST,),
    submission=RowPerId(id="segment_id", target="time_to_eruption"),
    passages={
        "An id that stands twice counts twice: avoid it.": "An id that occurs twice is refused.",
        "Doubled segments are counted twice instead of being refused.": (
            "Doubled segments are refused."
        ),
    },
)
