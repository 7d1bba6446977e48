"""Revision v1.1: an empty mask marks nothing, and the depths of the test images are public."""

from dataclasses import replace
from functools import partial

import numpy as np

from mlebench.competitions.tgs_salt_identification_challenge.competition import prepare, rows
from mlebench.metrics.masks import iou_precision
from mlebench.revision import Changes, Fix

changes = Changes(
    fixes=(
        Fix(
            "an empty mask where there is salt counts as if the whole picture were marked",
            "an empty mask marks nothing, and a list of runs has a length for each start",
        ),
        Fix("depths.csv lacks the test images", "it has the depths of all images, as on Kaggle"),
    ),
    comparability="new",
    submission=replace(rows, is_paired=True),
    metric=iou_precision(np.arange(0.5, 1.0, 0.05)),
    prepare=partial(prepare, with_test_depths=True),
    passages={
        "For the training pictures the depth of the place is known.": (
            "The depth of the place is known."
        ),
        "depth in feet below the surface, training pictures only |": (
            "depth in feet below the surface, all pictures |"
        ),
        "the depth of the place in feet; labelled pictures only |": (
            "the depth of the place in feet; all pictures |"
        ),
        "There are no depths for the test pictures.": "",
        "Depths of the test pictures are not given.": "",
        "- Truth not empty, prediction empty: the grader … the picture is salt.": (
            "- Truth not empty, prediction empty: 0."
        ),
        "- something to mark but nothing marked is treated … that are mostly salt).": (
            "- something to mark but nothing marked earns 0."
        ),
    },
)
