"""Revision v1.1: the average precision that made the board."""

from mlebench.metrics import voc_mean_average_precision
from mlebench.revision import Changes, Fix

METRIC = """\
## Metric

Mean over the classes that occur in the truth (of `negative`, `typical`, `indeterminate`,
`atypical`, `opacity`, `none`) of the average precision of PASCAL VOC at an intersection over
union **above 0.5**, to be maximised. For each class, over all rows:

1. By falling confidence, each prediction is compared with the true box of this class in its row
   that it overlaps most. It is a hit if the IoU is above 0.5 and that box was not hit before,
   otherwise a false alarm.
2. For each distinct confidence c, the predictions with at least this confidence have recall =
   hits / (all true boxes) and precision = hits / predictions. A precision counts as the largest
   of its own and all those at lower confidences:

    AP = Σ over falling c of (gain in recall) · precision

True boxes that no prediction hits lower the recall. IoU = intersection / (area + area −
intersection) of boxes given by their corners, with sides as plain differences; a box with
inverted corners overlaps nothing. For the fixed box `0 0 1 1` only the ranking of rows by
confidence matters."""

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
    passages={
        "all test studies, then all test pictures |": (
            "all test studies and test pictures, sorted by id |"
        ),
        "of all test examinations and then all test pictures |": (
            "of all test examinations and test pictures, sorted by id |"
        ),
        **dict.fromkeys(("## Metric …", "## How it is scored …"), METRIC),
        "- Confidences should be above 0, where the missed boxes stand.": "",
        "- Keep confidences above 0.": "",
    },
)
