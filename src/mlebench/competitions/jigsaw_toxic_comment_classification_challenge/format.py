"""The submission format: a row per comment, of which only the labelled ones are scored."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mlebench.errors import InvalidSubmissionError
from mlebench.formats import Aligned, RowPerId, require_columns, require_rows
from mlebench.formats.base import scored_all_the_same
from mlebench.formats.columns import some_rows
from mlebench.formats.ids import look_up
from mlebench.formats.matching import sorting_order
from mlebench.formats.values import converted_numbers

if TYPE_CHECKING:
    import pandas as pd


class LabelledRows(RowPerId):
    """Like RowPerId, but columns are taken in their order, and rows labelled −1 are not scored."""

    def check(self, submission: pd.DataFrame, keys: pd.DataFrame) -> None:
        super().check(self._by_position(submission), keys)

    def align(self, submission: pd.DataFrame, answers: pd.DataFrame) -> Aligned:
        named = self._by_position(submission)
        try:
            truth, predicted, _ = super().align(named, answers)
        except InvalidSubmissionError as refusal:
            return self._align_scored(named, answers, refusal)
        scored = np.flatnonzero(truth.sum(axis=1) >= 0)
        return Aligned(some_rows(truth, scored), some_rows(predicted, scored))

    def _align_scored(
        self, submission: pd.DataFrame, answers: pd.DataFrame, refusal: InvalidSubmissionError
    ) -> Aligned:
        """As the published grader aligns: it uses the scored rows only.

        Of their ids it compares the number alone and pairs both sides in the order of the ids.
        """
        require_rows(submission, len(answers), self.id)
        places = look_up(answers[self.id], submission[self.id])
        truth = self._truth(answers)
        is_scored = truth.sum(axis=1) >= 0
        rows = np.flatnonzero(is_scored[places])
        if (places < 0).any() or len(rows) != is_scored.sum():
            raise refusal
        wanted = np.flatnonzero(is_scored)
        wanted = wanted[sorting_order(answers[self.id].iloc[wanted])]
        rows = rows[sorting_order(submission[self.id].iloc[rows])]
        predicted = converted_numbers(submission[self.targets].iloc[rows])
        return Aligned(truth[wanted], predicted, scored_all_the_same(refusal))

    def _by_position(self, submission: pd.DataFrame) -> pd.DataFrame:
        """The k-th value column under the k-th class name: the published grader ignores names."""
        require_columns(submission, [self.id, *self.targets], exact=True)
        names = submission.columns.drop(self.id)
        return submission.rename(columns=dict(zip(names, self.targets, strict=True)))
