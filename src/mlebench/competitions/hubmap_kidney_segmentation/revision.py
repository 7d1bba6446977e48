"""Revision v1.1: test slides have no outlines."""

from functools import partial

from mlebench.competitions.hubmap_kidney_segmentation.competition import prepare
from mlebench.revision import Changes, Fix

changes = Changes(
    fixes=(
        Fix(
            "test/<id>.json contains the outlines that are to be predicted",
            "test slides have the image and the anatomical structures only",
            "#98",
        ),
    ),
    comparability="near",
    flags=(
        "noisy: 3 test pictures, so that chance decides medals",
        "57 % of the board's teams have 0.0, the median, so that any hit is above it",
    ),
    note="Test slides have no `<id>.json`.",
    prepare=partial(prepare, with_test_outlines=False),
)
