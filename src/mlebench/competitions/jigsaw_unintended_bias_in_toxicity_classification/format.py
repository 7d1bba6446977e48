"""The submission format: a prediction per comment, in a column of either of two names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mlebench.errors import InvalidSubmissionError
from mlebench.formats import Aligned, RowPerId

if TYPE_CHECKING:
    import pandas as pd

OTHER_NAME = "toxicity"


class PredictionRows(RowPerId):
    """Like RowPerId, but the predictions may be called as in the answers."""

    def check(self, submission: pd.DataFrame, keys: pd.DataFrame) -> None:
        super().check(self._renamed(submission), keys)

    def align(self, submission: pd.DataFrame, answers: pd.DataFrame) -> Aligned:
        return super().align(self._renamed(submission), answers)

    def _renamed(self, submission: pd.DataFrame) -> pd.DataFrame:
        (target,) = self.targets
        if {target, OTHER_NAME}.issubset(submission.columns):
            raise InvalidSubmissionError(
                f"submission has both columns {target!r} and {OTHER_NAME!r}, expected one of them"
            )
        return submission.rename(columns={OTHER_NAME: target})
