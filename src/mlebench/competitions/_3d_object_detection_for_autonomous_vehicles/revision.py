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
)
