"""Revision v1.1: true corners, and the average precision that made the board."""

from mlebench.metrics import voc_mean_average_precision
from mlebench.revision import Changes, Fix

changes = Changes(
    fixes=(
        Fix(
            "corners are read as x, y, width and height, and boxes with inverted corners that"
            " match nothing cost nothing, so spam wins gold",
            "PASCAL VOC's average precision of true corners at an overlap above 0.4; every box"
            " counts",
        ),
        Fix(
            "rows of one picture are pooled, and the first true and the first predicted box of the"
            " file are treated differently",
            "one row for each picture, and all boxes alike",
        ),
    ),
    comparability="new",
    flags=("of each class and picture only one box of one reader is an answer",),
    metric=voc_mean_average_precision(iou_above=0.4),
)
