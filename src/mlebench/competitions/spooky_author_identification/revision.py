"""Revision v1.1: the texts are public; nothing is changed."""

from mlebench.revision import Changes

changes = Changes(
    flags=(
        "external copy: the source is public, so that pretrained models may have seen test items",
    ),
)
