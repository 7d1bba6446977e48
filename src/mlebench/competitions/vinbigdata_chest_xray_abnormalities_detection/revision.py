"""Revision v1.1: true corners, and the average precision that made the board."""

from mlebench.metrics import voc_mean_average_precision
from mlebench.revision import Changes, Fix

METRIC = """\
## Metric

Average precision of PASCAL VOC at an intersection over union **above 0.4**, averaged over the
classes that occur in the answers, class 14 included; to be maximised. The answers have **one box
for each picture and class**: the first one in the source table, by whichever reader. For each
class, over all pictures:

1. By falling confidence, each prediction is compared with the true box of this class in its
   picture that it overlaps most. It is a hit if the IoU is above 0.4 and that box was not hit
   before, otherwise a false alarm.
2. For each distinct confidence c, the predictions with at least this confidence have recall =
   hits / (all true boxes) and precision = hits / predictions. A precision counts as the largest
   of its own and all those at lower confidences:

    AP = Σ over falling c of (gain in recall) · precision

True boxes that no prediction hits lower the recall. IoU = intersection / (area + area −
intersection) of boxes given by their corners, with sides as plain differences; a box with
inverted corners overlaps nothing. Every prediction without a hit is a false alarm, also a second
box of the same class on a picture."""

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
    passages={
        "A picture may … its boxes are pooled.": "A picture has one row.",
        "Additional columns are ignored, and rows of the same picture are put together.": (
            "Additional columns are refused, and so are two rows of one picture."
        ),
        **dict.fromkeys(("## Metric …", "## How it is scored …"), METRIC),
    },
)
