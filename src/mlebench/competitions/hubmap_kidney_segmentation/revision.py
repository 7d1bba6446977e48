"""Revision v1.1: test slides have no outlines."""

from dataclasses import replace
from functools import partial

from mlebench.competitions.hubmap_kidney_segmentation.competition import prepare, rows
from mlebench.revision import PAIRED_RUNS, Changes, Fix, Noisy, shown_in_train

changes = Changes(
    fixes=(
        Fix(
            "test/<id>.json contains the outlines that are to be predicted",
            "test slides have the image and the anatomical structures only",
            "#98",
            traces=("test/ .json",),
        ),
        PAIRED_RUNS,
    ),
    comparability="near",
    flags=("57 % of the board's teams have 0.0, the median, so that any hit is above it",),
    note="Test slides have no `<id>.json`.",
    prepare=partial(prepare, with_test_outlines=False),
    submission=replace(rows, is_paired=True),
    noisy=Noisy(3, "test pictures", shown_in_train("outlines")),
)
