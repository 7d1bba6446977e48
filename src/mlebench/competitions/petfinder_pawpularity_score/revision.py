"""Revision v1.1: a sample submission that does not show the order of the split."""

from mlebench.formats import RowPerId
from mlebench.revision import Changes, Fix

changes = Changes(
    fixes=(
        Fix(
            "a prediction outside 1 to 100 makes the file invalid, which Kaggle accepted",
            "every finite number is accepted",
        ),
        Fix(
            "the guesses of the sample submission are drawn in the order of the split, so that they"
            " tell each row's place in it",
            "rows take the guesses in the order of their ids",
        ),
    ),
    submission=RowPerId(id="Id", target="Pawpularity"),
    has_drawn_sample=True,
    flags=("near-duplicate pictures may be in train and test: `mlebench audit` counts them",),
)
