"""Revision v1.1: hits among all true and predicted boxes, as on Kaggle."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from mlebench.competitions._3d_object_detection_for_autonomous_vehicles.competition import (
    THRESHOLDS,
)
from mlebench.competitions._3d_object_detection_for_autonomous_vehicles.metric import (
    guesses_of,
    hits_above,
)
from mlebench.competitions._3d_object_detection_for_autonomous_vehicles.prepare import prepare
from mlebench.metrics import Measured, Metric, mean_of
from mlebench.metrics.boxes import Boxes
from mlebench.revision import Changes, Fix


def mean_hit_share_3d(thresholds: Sequence[float]) -> Metric:
    """Mean over rows and thresholds of TP / (TP + FP + FN), all classes of a row together.

    By falling confidence each prediction takes the true box of its class that it overlaps most,
    if the overlap exceeds the threshold and that box is still free. A row without any box on
    either side counts as 1.
    """

    def function(y_true: Boxes, y_pred: Boxes) -> Measured:
        guesses, first, _ = guesses_of(y_true, y_pred, min(thresholds))
        row_of_group = y_true.rows[first]
        boxes = np.bincount(np.append(y_true.rows, y_pred.rows), minlength=len(y_true))
        shares = []
        for threshold in thresholds:
            rows = row_of_group[guesses.groups[hits_above(guesses, threshold)]]
            hits = np.bincount(rows, minlength=len(y_true))
            shares.append(np.where(boxes > 0, hits / np.maximum(boxes - hits, 1), 1.0))
        return mean_of(np.mean(shares, axis=0))

    return Metric("mean_hit_share_3d", False, function)


METRIC = """\
## Metric

Share of hits among all boxes, to be maximised. For each sample and each threshold t = 0.5, 0.55,
…, 0.95

    TP / (TP + FP + FN)

is computed over all classes of the sample together. The score is the mean over all samples and
thresholds; a sample without any box, true or predicted, counts as 1.

- By falling confidence, each prediction looks at the true box of its class in the sample with the
  largest IoU. It is a true positive if IoU > t and that box was not taken before; otherwise a
  false positive (the second best is not tried). True boxes that no prediction takes are false
  negatives.
- IoU is that of volumes: the common area of the turned ground rectangles times the common height,
  divided by the volume of the union. A box turned by π is the same box."""

changes = Changes(
    fixes=(
        Fix(
            "the area under precision by recall is graded, so that false alarms ranked below all"
            " hits and those of absent classes cost nothing",
            "TP / (TP + FP + FN) at each overlap, in which every box counts",
        ),
        Fix(
            "map.json of both parts lists the test logs, in the order of the split",
            "it lists the logs of its part by token",
        ),
        Fix(
            "the prize money is mistyped: 1,200 instead of 12,000 for the first prize",
            "the correct amount",
        ),
    ),
    comparability="new",
    prize_usd=25_000,
    prepare=partial(prepare, with_own_logs=True),
    metric=mean_hit_share_3d(THRESHOLDS),
    passages={
        "`log_tokens` in both copies of `map.json` are those of the test drives.": (
            "`log_tokens` in `map.json` are those of the drives of its part."
        ),
        "Both files `map.json` list the test drives.": (
            "Each `map.json` lists the drives of its part."
        ),
        **dict.fromkeys(("## Metric …", "## How it is scored …"), METRIC),
        **dict.fromkeys(
            (
                "- Each sample is judged by itself: a missing class … so keep boxes of low"
                " confidence.",
                "- Classes count equally within a sample: … ranked behind all right ones.",
            ),
            "- Each sample is judged by itself, and all its boxes weigh the same.\n"
            "- A wrong box costs as much as a missed one, whatever its confidence and class:"
            " leave out boxes that you do not believe in.",
        ),
    },
)
