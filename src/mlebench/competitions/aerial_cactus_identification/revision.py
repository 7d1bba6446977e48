"""Revision v1.1: what to know about the board and the data."""

from mlebench.revision import EXTERNAL_COPY, Changes

changes = Changes(
    flags=(
        "all or nothing: gold, silver and bronze are 1.0",
        EXTERNAL_COPY,
    ),
)
