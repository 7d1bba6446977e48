"""Rows of box lists that may repeat a picture: all boxes of a picture are pooled."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from mlebench.errors import InvalidSubmissionError
from mlebench.formats import Aligned, require_columns
from mlebench.formats.box_lists import boxes_in
from mlebench.formats.cells import (
    at_blanks_unless_all,
    expected_groups,
    read_groups,
    require_texts,
)
from mlebench.formats.ids import is_equal, look_up
from mlebench.metrics.boxes import Boxes

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

WORDS = ("class", "confidence", "x_min", "y_min", "x_max", "y_max")
CORNERS = list(WORDS[2:])


class PooledBoxes:
    """Every picture of the answers in at least one row."""

    id = "image_id"
    targets = ("PredictionString",)

    def keys(self, answers: pd.DataFrame) -> pd.DataFrame:
        return _pictures_of(answers)[0]

    def check(self, submission: pd.DataFrame, keys: pd.DataFrame) -> None:
        self._predictions(submission, keys)

    def align(self, submission: pd.DataFrame, answers: pd.DataFrame) -> Aligned:
        keys, pictures = _pictures_of(answers)
        true_labels = answers["class_id"].to_numpy()
        predicted = self._predictions(submission, keys, int(true_labels.max()) + 1)
        numbers = np.ones((len(answers), 1 + len(CORNERS)))
        for place, name in enumerate(CORNERS):
            numbers[:, 1 + place] = answers[name]
        return Aligned(Boxes(pictures, true_labels, numbers, len(keys)), predicted)

    def _predictions(
        self, submission: pd.DataFrame, keys: pd.DataFrame, other_label: int = 0
    ) -> Boxes:
        """The boxes of each picture; all classes that no answer has are one."""
        require_columns(submission, ["image_id", "PredictionString"])
        pictures = _match_pictures(submission["image_id"], keys["image_id"])
        column = submission["PredictionString"]
        require_texts(column, gaps=False, expected=expected_groups(WORDS))
        groups = read_groups(column, WORDS, at_blanks_unless_all)
        if not groups.counts.all():
            row = int(np.argmin(groups.counts)) + 1
            raise InvalidSubmissionError(
                f"the list in row {row} holds nothing, expected {expected_groups(WORDS)}"
            )
        return _with_labels(other_label, boxes_in(groups, pictures))


def _pictures_of(answers: pd.DataFrame) -> tuple[pd.DataFrame, NDArray[np.int64]]:
    """Each picture once, and for each row the number of its picture."""
    import pandas as pd

    pictures, ids = pd.factorize(answers["image_id"])
    return pd.DataFrame({"image_id": ids}), pictures


def _with_labels(other_label: int, boxes: Boxes) -> Boxes:
    """The same boxes, whose first numbers become their labels."""
    classes = boxes.numbers[:, 0]
    if not np.isfinite(classes).all():
        raise InvalidSubmissionError("found a class that is not finite, expected a number")
    labels = np.trunc(classes)
    labels = np.where((labels >= 0) & (labels < other_label), labels, other_label).astype(int)
    return replace(boxes, labels=labels, numbers=boxes.numbers[:, 1:])


def _match_pictures(given: Any, wanted: Any) -> Any:
    """For each row the number of its picture; each wanted picture must be given."""
    if is_equal(given, wanted):
        return np.arange(len(wanted))
    numbers = look_up(wanted, given)
    if (numbers < 0).any():
        found = given.iloc[int(np.argmin(numbers))]
        raise InvalidSubmissionError(
            f"'image_id' holds {str(found)[:80]!r}, expected ids of the test pictures"
        )
    missing = np.flatnonzero(np.bincount(numbers, minlength=len(wanted)) == 0)
    if len(missing):
        raise InvalidSubmissionError(
            f"{len(missing):,} of {len(wanted):,} test pictures have no row, for example"
            f" {str(wanted.iloc[int(missing[0])])!r}"
        )
    return numbers
