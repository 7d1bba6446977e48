"""Boxes written as lists: a cell holds any number of boxes, each a fixed number of words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from mlebench.errors import InvalidSubmissionError
from mlebench.formats.cells import Cells, Separator, expected_groups, require_texts
from mlebench.formats.formats import Aligned, in_order, match_ids, require_columns, require_rows
from mlebench.metrics.boxes import Boxes, place_among, row_blocks
from mlebench.metrics.threads import fill_blocks
from mlebench.tables.frames import Frame


@dataclass(frozen=True)
class ListedBoxes:
    """Boxes in lists, read when a metric comes to their rows."""

    cells: Cells
    checked: Callable[[Any, Any], tuple[Any, Any]] = lambda labels, numbers: (labels, numbers)
    """Refuses labels and numbers that were read, or makes of them what the metric wants."""

    first_cells: Any = None
    """Where each row begins, and the last one ends, if not every cell is a row."""

    first_row: int = 0
    """The row that was the first before they got this order."""

    def __len__(self) -> int:
        return len(self.cells) if self.first_cells is None else len(self.first_cells) - 1

    def __getitem__(self, rows: Any) -> ListedBoxes:
        """The same with the rows, each of which is one cell, in another order."""
        return replace(self, cells=self.cells.in_order(rows))

    @property
    def count(self) -> int:
        return int(self.cells.starts[-1])

    def between(self, start: int, stop: int) -> Boxes:
        """The boxes of some rows."""
        rows = slice(start, stop + 1)
        cells = np.arange(start, stop + 1) if self.first_cells is None else self.first_cells[rows]
        labels, numbers = self.checked(*self.cells.read(int(cells[0]), int(cells[-1])))
        starts = self.cells.starts[cells]
        first_row = place_among(self.first_row, start, stop)
        return Boxes(starts - starts[0], labels, numbers, first_row, int(starts[0]))

    def check(self) -> None:
        """Read all boxes and keep none."""
        edges = row_blocks(len(self), self.count)
        fill_blocks(lambda edge: self.between(*edge).count, edges)


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
        self._predictions(submission, keys).check()

    def align(self, submission: Frame, answers: Frame) -> Aligned:
        predicted = self._predictions(submission, self.keys(answers))
        return Aligned(self._listed(answers[self.target]), predicted)

    def _predictions(self, submission: Frame, keys: Frame) -> ListedBoxes:
        require_columns(submission, [self.id, self.target])
        require_rows(submission, len(keys), self.id)
        order = match_ids(submission[self.id], keys[self.id])
        column = submission[self.target]
        require_texts(column, gaps=self.empty, expected=expected_groups(self.words))
        listed = replace(self._listed(column), checked=_require_finite)
        boxes: ListedBoxes = in_order(listed, order)
        return boxes

    def _listed(self, column: Any) -> ListedBoxes:
        separator = Separator.BLANK_UNLESS_ALL if self.empty else Separator.WHITE_SPACE
        return ListedBoxes(Cells.of(column, self.words, separator))


def _require_finite(labels: Any, numbers: Any) -> tuple[Any, Any]:
    confidences = numbers[:, 0]
    if not np.isfinite(confidences).all():
        found = confidences[~np.isfinite(confidences)][0]
        raise InvalidSubmissionError(f"found the confidence {found}, expected a finite number")
    return labels, numbers
