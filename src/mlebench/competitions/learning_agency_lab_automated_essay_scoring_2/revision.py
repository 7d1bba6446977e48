"""Revision v1.1: scores are 1 to 6, and weigh by their values."""

from mlebench.formats import RowPerId
from mlebench.formats.class_labels import class_numbers
from mlebench.metrics import quadratic_kappa_of_values
from mlebench.revision import CROWDED_BOARD, DRAWN_SAMPLE, EASIER_TEST, Changes, Fix

changes = Changes(
    fixes=(
        Fix(
            "scores outside 1 to 6 are accepted as further labels, and kappa weighs"
            " labels by their place among those found",
            "scores are whole numbers from 1 to 6, and kappa weighs their values",
        ),
        DRAWN_SAMPLE,
    ),
    flags=(CROWDED_BOARD, EASIER_TEST),
    submission=RowPerId(id="essay_id", target="score", values=class_numbers(1, 6)),
    metric=quadratic_kappa_of_values,
    has_drawn_sample=True,
)
