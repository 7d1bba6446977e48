"""Revision v1.1: patches of one slide are in both parts; nothing is changed."""

from mlebench.revision import EXTERNAL_COPY, NEAR_DUPLICATES, Changes

changes = Changes(
    flags=(EXTERNAL_COPY, NEAR_DUPLICATES),
)
