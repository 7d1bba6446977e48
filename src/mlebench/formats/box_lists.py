"""Boxes written as lists: a cell holds any number of boxes, each a fixed number of words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from mlebench.errors import InvalidSubmissionError
from mlebench.formats.base import Aligned, require_columns, require_rows
from mlebench.formats.cells import Cells, Separator, expected_groups, require_texts
from mlebench.formats.matching import in_order, match_ids
from mlebench.metrics.boxes import Boxes, place_among, row_blocks
from mlebench.metrics.threads import fill_blocks

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray


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

    any_confidence: bool = False
    """Whether a confidence may be NaN or infinite; else that of a label of the answers may not."""

    empty: bool = False
    """Whether an empty cell is a list without boxes; words then stand one blank apart."""

    @property
    def targets(self) -> list[str]:
        return [self.target]

    def keys(self, answers: pd.DataFrame) -> pd.DataFrame:
        return answers[[self.id]]

    def check(self, submission: pd.DataFrame, keys: pd.DataFrame) -> None:
        listed = self._predictions(submission, keys)
        replace(listed, checked=_require_finite).check()

    def align(self, submission: pd.DataFrame, answers: pd.DataFrame) -> Aligned:
        predicted = self._predictions(submission, self.keys(answers))
        true = self._listed(answers[self.target])
        if not self.any_confidence:
            scored = np.unique(true.between(0, len(true)).labels)
            predicted = replace(predicted, checked=partial(_require_finite, scored=scored))
        return Aligned(true, predicted)

    def _predictions(self, submission: pd.DataFrame, keys: pd.DataFrame) -> ListedBoxes:
        require_columns(submission, [self.id, self.target])
        require_rows(submission, len(keys), self.id)
        order = match_ids(submission[self.id], keys[self.id])
        column = submission[self.target]
        require_texts(column, gaps=self.empty, expected=expected_groups(self.words))
        boxes: ListedBoxes = in_order(self._listed(column), order)
        return boxes

    def _listed(self, column: Any) -> ListedBoxes:
        separator = Separator.BLANK_UNLESS_ALL if self.empty else Separator.WHITE_SPACE
        return ListedBoxes(Cells.of(column, self.words, separator))


def _require_finite(
    labels: NDArray[np.int64],
    numbers: NDArray[np.float64],
    scored: NDArray[np.int64] | None = None,
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Boxes whose confidences are finite, at least those of the scored labels."""
    is_wrong = ~np.isfinite(numbers[:, 0])
    if scored is not None and is_wrong.any():
        is_wrong &= np.isin(labels, scored)
    if is_wrong.any():
        found = numbers[is_wrong, 0][0]
        raise InvalidSubmissionError(f"found the confidence {found}, expected a finite number")
    return labels, numbers
