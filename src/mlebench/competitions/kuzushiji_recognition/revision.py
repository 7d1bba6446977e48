"""Revision v1.1: at most 1,200 characters on a page, as Kaggle asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mlebench.competitions.kuzushiji_recognition.format import predicted_points, true_boxes
from mlebench.errors import InvalidSubmissionError
from mlebench.formats import RowPerId
from mlebench.revision import Changes, Fix

if TYPE_CHECKING:
    import pandas as pd

    from mlebench.metrics.boxes import Boxes

MOST = 1200


def limited_points(frame: pd.DataFrame) -> Boxes:
    """The points of all pages, none of which may have too many."""
    found = predicted_points(frame)
    counts = np.bincount(found.rows, minlength=1)
    if counts.max() > MOST:
        raise InvalidSubmissionError(
            f"row {int(counts.argmax()) + 1} has {counts.max():,} characters, expected at most"
            f" {MOST:,} on a page"
        )
    return found


changes = Changes(
    fixes=(
        Fix(
            "any number of characters on a page is accepted, where Kaggle allowed 1,200",
            "a page with more than 1,200 characters is refused",
        ),
        Fix(
            "the published preparation stops at a test page without labels",
            "such a page has no characters",
        ),
    ),
    submission=RowPerId(id="image_id", target="labels", values=limited_points, truth=true_boxes),
    passages={
        "At most 1,200 characters a page are asked for. A submission is refused when a column": (
            "A submission is refused when a page has more than 1,200 characters, a column"
        ),
        "Stay below 1,200 characters a page. Reasons for refusal: a missing": (
            "Reasons for refusal: more than 1,200 characters on a page, a missing"
        ),
    },
)
