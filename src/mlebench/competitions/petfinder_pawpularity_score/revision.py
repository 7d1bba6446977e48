"""Revision v1.1: a sample submission that does not show the order of the split."""

from mlebench.formats import RowPerId
from mlebench.revision import DRAWN_SAMPLE, NEAR_DUPLICATES, Changes, Fix

changes = Changes(
    fixes=(
        Fix(
            "a prediction outside 1 to 100 makes the file invalid, although Kaggle accepted it",
            "every finite number is accepted",
        ),
        DRAWN_SAMPLE,
    ),
    submission=RowPerId(id="Id", target="Pawpularity"),
    has_drawn_sample=True,
    flags=(NEAR_DUPLICATES,),
    passages={
        "Values may have decimals but **must lie between 1 and 100**: … or the ids are not"
        " exactly the test ids.": (
            "Any finite number is accepted. A submission is refused when a value is empty,"
            " infinite or text, a column is missing, or the ids are not exactly the test ids."
        ),
        "Fractions are welcome, but every value has to be within [1, 100]. The file is"
        " refused if a value is outside, empty or text,": (
            "Any finite number is accepted. The file is refused if a value is empty, infinite"
            " or text,"
        ),
        "- Clip to the allowed range before writing.": (
            "- Clip to the range from 1 to 100 before writing."
        ),
    },
)
