"""A row per step of a breath, of which only those of inspiration are scored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mlebench.formats import Aligned, RowPerId, SomeAligned
from mlebench.formats.matching import sorting_order

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray


@dataclass(frozen=True)
class StepPerId(RowPerId):
    """Like RowPerId, but only some rows are scored; the values of the others are ignored."""

    unscored: str = ""
    """The public column of the answers that is not 0 in rows without a score."""

    def keys(self, answers: pd.DataFrame) -> pd.DataFrame:
        return answers[[self.id, self.unscored]]

    def check(self, submission: pd.DataFrame, keys: pd.DataFrame) -> None:
        self._require_shape(submission, keys)
        rows = np.flatnonzero(keys[self.unscored].to_numpy() == 0)
        self.values(self._scored(submission, keys, rows))

    def align(self, submission: pd.DataFrame, answers: pd.DataFrame) -> Aligned:
        keys = self.keys(answers)
        self._require_shape(submission, keys)
        # In the order of the ids, which decides the last bits of the sum.
        by_id = sorting_order(answers[self.id])
        rows = by_id[answers[self.unscored].to_numpy()[by_id] == 0]
        truth = answers[self.targets[0]].to_numpy()[rows]
        predicted, warnings = self._read(self._scored(submission, keys, rows), truth)
        return SomeAligned.of(truth, predicted, rows=rows, warnings=warnings)

    def _scored(
        self, submission: pd.DataFrame, keys: pd.DataFrame, rows: NDArray[np.int64]
    ) -> pd.DataFrame:
        """The predictions for some rows of the answers."""
        order = self._order(submission, keys)
        given = rows if isinstance(order, slice) else order[rows]
        return submission[self.targets].iloc[given]
