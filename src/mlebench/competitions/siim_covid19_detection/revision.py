"""Revision v1.1: the average precision that made the board."""

from mlebench.metrics import voc_mean_average_precision
from mlebench.revision import Changes, Fix

changes = Changes(
    fixes=(
        Fix(
            "missed boxes rank at confidence 0, so boxes that match nothing with confidence -1"
            " win gold",
            "PASCAL VOC's average precision at an overlap above 0.5: a missed box lowers the"
            " recall",
        ),
    ),
    comparability="new",
    metric=voc_mean_average_precision(iou_above=0.5),
)
