"""Revision v1.1: grades are 0 to 4, and weigh by their values."""

from mlebench.formats import RowPerId
from mlebench.formats.class_labels import class_numbers
from mlebench.metrics import quadratic_kappa_of_values
from mlebench.revision import NEAR_DUPLICATES, Changes, Fix

changes = Changes(
    fixes=(
        Fix(
            "grades outside 0 to 4 are accepted as further labels, and kappa weighs"
            " labels by their place among those found",
            "grades are whole numbers from 0 to 4, and kappa weighs their values",
        ),
    ),
    submission=RowPerId(id="id_code", target="diagnosis", values=class_numbers(0, 4)),
    metric=quadratic_kappa_of_values,
    flags=(NEAR_DUPLICATES,),
)
