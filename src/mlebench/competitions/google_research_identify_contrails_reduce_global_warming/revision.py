"""Revision v1.1: odd lists of runs are refused."""

from mlebench.revision import Changes, Fix

changes = Changes(
    fixes=(
        Fix(
            "of three numbers `a n b` the one length serves both runs, and one marks nothing",
            "a list of runs has a length for each start",
        ),
    ),
)
