"""Revision v1.1: an empty mask marks nothing."""

import numpy as np

from mlebench.metrics.masks import iou_precision
from mlebench.revision import Changes, Fix

changes = Changes(
    fixes=(
        Fix(
            "an empty mask where there is salt counts as if the whole picture were marked",
            "an empty mask marks nothing, and a list of runs has a length for each start",
        ),
    ),
    comparability="new",
    metric=iou_precision(np.arange(0.5, 1.0, 0.05)),
)
