"""Revision v1.1: the images come from a public collection; nothing is changed."""

from mlebench.revision import Changes

changes = Changes(
    flags=(
        "external copy: the images are also in Stanford Dogs and ImageNet, where people on the"
        " board looked up breeds, so that gold is out of reach without them",
    ),
)
