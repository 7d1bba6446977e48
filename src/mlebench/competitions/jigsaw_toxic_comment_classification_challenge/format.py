"""The submission format: a row per comment, of which only the labelled ones are scored."""

import numpy as np

from mlebench.formats import Aligned, RowPerId, require_columns
from mlebench.formats.columns import some_rows
from mlebench.tables.frames import Frame


class LabelledRows(RowPerId):
    """Like RowPerId, but columns are taken in their order, and rows labelled −1 do not count."""

    def check(self, submission: Frame, keys: Frame) -> None:
        super().check(self._by_position(submission), keys)

    def align(self, submission: Frame, answers: Frame) -> Aligned:
        truth, predicted, _ = super().align(self._by_position(submission), answers)
        scored = np.flatnonzero(truth.sum(axis=1) >= 0)
        return Aligned(some_rows(truth, scored), some_rows(predicted, scored))

    def _by_position(self, submission: Frame) -> Frame:
        """The k-th value column under the k-th class name: the published grader ignores names."""
        require_columns(submission, [self.id, *self.targets], exact=True)
        names = submission.columns.drop(self.id)
        return submission.rename(columns=dict(zip(names, self.targets, strict=True)))
