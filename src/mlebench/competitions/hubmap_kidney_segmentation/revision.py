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
    flags=("the test part has three slides",),
    note="Test slides have no `<id>.json`.",
    prepare=partial(prepare, with_test_outlines=False),
)
