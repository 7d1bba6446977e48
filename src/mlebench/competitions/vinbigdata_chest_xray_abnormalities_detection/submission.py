"""Rows of box lists that may repeat a picture: all boxes of a picture are pooled."""

from typing import Any

import numpy as np

from mlebench.data.frames import Frame
from mlebench.errors import InvalidSubmissionError
from mlebench.grading.cells import Separator, expected_groups, read_groups, require_texts
from mlebench.grading.formats import require_columns
from mlebench.grading.ids import look_up
from mlebench.metrics.boxes import Boxes

WORDS = ("class", "confidence", "x_min", "y_min", "x_max", "y_max")
CORNERS = list(WORDS[2:])


class PooledBoxes:
    """Every picture of the answers in at least one row."""

    id = "image_id"
    targets = ("PredictionString",)

    def keys(self, answers: Frame) -> Frame:
        ids = answers["image_id"]
        return answers.loc[look_up(ids, ids) == np.arange(len(ids)), ["image_id"]]

    def check(self, submission: Frame, keys: Frame) -> None:
        self._predictions(submission, keys)

    def align(self, submission: Frame, answers: Frame) -> tuple[Boxes, Boxes]:
        keys = self.keys(answers)
        rows, numbers = self._predictions(submission, keys)
        true_labels = answers["class_id"].to_numpy()
        other = true_labels.max() + 1
        labels = np.trunc(numbers[:, 0])
        labels = np.where((labels >= 0) & (labels < other), labels, other).astype(int)
        pictures = look_up(keys["image_id"], answers["image_id"])
        true_numbers = np.insert(answers[CORNERS].to_numpy(dtype=float), 0, 1, axis=1)
        return (
            Boxes.of_rows(pictures, true_labels, true_numbers, len(keys)),
            Boxes.of_rows(rows, labels, numbers[:, 1:], len(keys)),
        )

    def _predictions(self, submission: Frame, keys: Frame) -> tuple[Any, Any]:
        """The picture of each box, and the boxes."""
        require_columns(submission, ["image_id", "PredictionString"])
        pictures = _pictures(submission["image_id"], keys["image_id"])
        column = submission["PredictionString"]
        require_texts(column, gaps=False, expected=expected_groups(WORDS))
        starts, _, numbers = read_groups(column, WORDS, Separator.BLANK_UNLESS_ALL)
        counts = np.diff(starts)
        if not counts.all():
            row = int(np.argmin(counts)) + 1
            raise InvalidSubmissionError(
                f"the list in row {row} holds nothing, expected {expected_groups(WORDS)}"
            )
        if not np.isfinite(numbers[:, 0]).all():
            raise InvalidSubmissionError("found a class that is not finite, expected a number")
        return np.repeat(pictures, counts), numbers


def _pictures(given: Any, wanted: Any) -> Any:
    """For each row the number of its picture; each wanted picture must be given."""
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
