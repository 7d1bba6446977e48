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
    prepare=partial(prepare, with_test_outlines=False),
    submission=replace(rows, is_paired=True),
    noisy=Noisy(3, "test pictures", shown_in_train("outlines")),
    passages={
        "| `test/<id>.tiff` and both JSON files | the same three files for each of the 3 test"
        " slides |": (
            "| `test/<id>.tiff`, `test/<id>-anatomical-structure.json` | slide and larger"
            " zones of each of the 3 test slides; their glomeruli are not outlined |"
        ),
        "for each of the 3 test slides the same three files, and a copy of the sample |": (
            "for each of the 3 test slides the slide and the polygons of the zones, and a"
            " copy of the sample |"
        ),
    },
)
