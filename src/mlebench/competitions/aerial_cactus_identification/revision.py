"""Revision v1.1: what to know about the board and the data."""

from mlebench.revision import Changes

changes = Changes(
    flags=(
        "all or nothing: gold, silver and bronze are 1.0",
        "external copy: the source is public, so that pretrained models may have seen test items",
    ),
)
