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
)
