"""Revision v1.1: patches of one slide are in both parts; nothing is changed."""

from mlebench.revision import Changes

changes = Changes(
    flags=(
        "external copy: the source is public, so that pretrained models may have seen test items",
        "near-duplicate pictures may be in train and test: `mlebench audit` counts them",
    ),
)
