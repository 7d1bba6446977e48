"""Revision v1.1: what to know about the board and the data."""

from mlebench.revision import Changes

changes = Changes(
    flags=(
        (
            "noisy: 59 test patients, so that chance decides medals (a coin wins bronze in 16 %"
            " of attempts)"
        ),
    ),
)
