"""Boxes written as lists: a cell holds any number of boxes, each a fixed number of words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from mlebench.data.frames import Frame
from mlebench.errors import InvalidSubmissionError
from mlebench.grading.cells import (
    Separator,
    expected_groups,
    read_groups,
    require_texts,
    without_gaps,
)
from mlebench.grading.formats import in_order, match_ids, require_columns, require_rows
from mlebench.metrics.boxes import Boxes


@dataclass(frozen=True)
class BoxesPerId:
    """One row per id, in any order, with a list of boxes."""

    id: str
    target: str
    words: tuple[str, ...]
    """What a box consists of; one of them is the `label`, the first other one the confidence."""

    empty: bool = False
    """Whether an empty cell is a list without boxes; words then stand one blank apart."""

    @property
    def targets(self) -> list[str]:
        return [self.target]

    def keys(self, answers: Frame) -> Frame:
        return answers[[self.id]]

    def check(self, submission: Frame, keys: Frame) -> None:
        self._predictions(submission, keys)

    def align(self, submission: Frame, answers: Frame) -> tuple[Boxes, Boxes]:
        predicted = self._predictions(submission, self.keys(answers))
        return self._read(answers[self.target]), predicted

    def _predictions(self, submission: Frame, keys: Frame) -> Boxes:
        require_columns(submission, [self.id, self.target])
        require_rows(submission, len(keys), self.id)
        order = match_ids(submission[self.id], keys[self.id])
        column = submission[self.target]
        require_texts(column, gaps=self.empty, expected=expected_groups(self.words))
        boxes: Boxes = in_order(self._read(column), order)
        confidences = boxes.numbers[:, 0]
        if not np.isfinite(confidences).all():
            found = confidences[~np.isfinite(confidences)][0]
            raise InvalidSubmissionError(f"found the confidence {found}, expected a finite number")
        return boxes

    def _read(self, column: Any) -> Boxes:
        separator = Separator.BLANK_UNLESS_ALL if self.empty else Separator.WHITE_SPACE
        return Boxes.in_lists(*read_groups(without_gaps(column), self.words, separator))
