"""Revision v1.1: gaps are refused."""

from mlebench.revision import Changes, Fix

changes = Changes(
    fixes=(
        Fix(
            "empty cells are skipped, so one class and five gaps in every row win gold",
            "a row has a share for each of the six classes",
        ),
    ),
    flags=("patients are in train and test",),
)
