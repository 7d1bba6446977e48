"""Boxes written as lists: a cell holds any number of boxes, each a fixed number of words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from mlebench.errors import InvalidSubmissionError
from mlebench.formats.base import Aligned, require_columns, require_rows
from mlebench.formats.cells import (
    Groups,
    at_blanks_unless_all,
    at_white_space,
    expected_groups,
    read_groups,
    require_texts,
)
from mlebench.formats.matching import match_ids
from mlebench.metrics.boxes import Boxes

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray


def boxes_in(groups: Groups, rows: NDArray[np.int64] | None = None) -> Boxes:
    """The boxes that cells list.

    Args:
        rows: the row that each cell belongs to, where that is not its own.
    """
    own = np.arange(len(groups.counts)) if rows is None else rows
    row_count = int(own.max(initial=-1)) + 1
    return Boxes(np.repeat(own, groups.counts), groups.labels, groups.numbers, row_count)


@dataclass(frozen=True)
class BoxesPerId:
    """One row per id, in any order, with a list of boxes."""

    id: str
    target: str
    words: tuple[str, ...]
    """What a box consists of; one of them is the `label`, the first other one the confidence."""

    any_confidence: bool = False
    """Whether a confidence may be NaN or infinite; else that of a label of the answers may not."""

    empty: bool = False
    """Whether an empty cell is a list without boxes; words are then one blank apart."""

    @property
    def targets(self) -> list[str]:
        return [self.target]

    def keys(self, answers: pd.DataFrame) -> pd.DataFrame:
        return answers[[self.id]]

    def check(self, submission: pd.DataFrame, keys: pd.DataFrame) -> None:
        _require_finite(self._predictions(submission, keys))

    def align(self, submission: pd.DataFrame, answers: pd.DataFrame) -> Aligned:
        predicted = self._predictions(submission, answers)
        true = self._boxes(answers[self.target])
        if not self.any_confidence:
            _require_finite(predicted, scored=np.unique(true.labels))
        return Aligned(true, predicted)

    def _predictions(self, submission: pd.DataFrame, keys: pd.DataFrame) -> Boxes:
        require_columns(submission, [self.id, self.target])
        require_rows(submission, len(keys), self.id)
        order = match_ids(submission[self.id], keys[self.id])
        column = submission[self.target]
        require_texts(column, gaps=self.empty, expected=expected_groups(self.words))
        return self._boxes(column)[order]

    def _boxes(self, column: pd.Series[Any]) -> Boxes:
        split = at_blanks_unless_all if self.empty else at_white_space
        return boxes_in(read_groups(column, self.words, split))


def _require_finite(boxes: Boxes, scored: NDArray[np.int64] | None = None) -> None:
    """Refuse confidences that are not finite, or only those of the scored labels."""
    is_wrong = ~np.isfinite(boxes.confidences)
    if scored is not None and is_wrong.any():
        is_wrong &= np.isin(boxes.labels, scored)
    if is_wrong.any():
        found = boxes.confidences[is_wrong][0]
        raise InvalidSubmissionError(f"found the confidence {found}, expected a finite number")
