"""Revision v1.1: what to know about the board and the data."""

from mlebench.revision import Changes

changes = Changes(
    flags=(
        "all or nothing: gold is a log loss of 0.0, which needs perfect certainty",
        "noisy: 99 test rows, so that chance decides medals",
        "external copy: the source is public, so that pretrained models may have seen test items",
    ),
)
