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
    note="`depths.csv` has the depths of the test images, too.",
    prepare=partial(prepare, with_test_depths=True),
)
