"""Revision v1.1: test slides have no outlines."""

from dataclasses import replace
from functools import partial

from mlebench.competitions.hubmap_kidney_segmentation.competition import prepare, rows
from mlebench.revision import Changes, Fix, Noisy

changes = Changes(
    fixes=(
        Fix(
            "test/<id>.json contains the outlines that are to be predicted",
            "test slides have the image and the anatomical structures only",
            "#98",
            traces=("test/ .json",),
        ),
        Fix(
            "three numbers `a n b` are two runs of the length n, and a single number marks nothing",
            "a list of runs has a length for each start",
        ),
    ),
    comparability="near",
    flags=("57 % of the board's teams have 0.0, the median, so that any hit is above it",),
    note="Test slides have no `<id>.json`.",
    prepare=partial(prepare, with_test_outlines=False),
    submission=replace(rows, is_paired=True),
    noisy=Noisy(
        3,
        "test pictures",
        "a run has one train part, in which the outlines of the other folds would be",
    ),
)
