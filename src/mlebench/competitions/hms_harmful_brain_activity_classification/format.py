"""A row per window of a recording: the rows of one recording have the same id."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from mlebench.errors import InvalidSubmissionError
from mlebench.formats import (
    Aligned,
    RowPerId,
    match_ids,
    require_columns,
    require_rows,
    unknown_ids,
)
from mlebench.formats.base import scored_all_the_same
from mlebench.formats.matching import pair_sorted
from mlebench.formats.values import numbers, refuse, require

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class VotesPerWindow(RowPerId):
    """Shares of votes; an unstable sort by id pairs the rows, as in the published grader.

    That grader compares ids as a set only, skips gaps and accepts further columns of zeros.
    """

    def align(self, submission: pd.DataFrame, answers: pd.DataFrame) -> Aligned:
        require_columns(submission, [self.id, *self.targets])
        require_rows(submission, len(answers), self.id)
        given, wanted = submission[self.id], answers[self.id]
        truth, warnings = self._truth(answers), self._refusal(submission, answers)
        if len(unknown_ids(given, wanted)) or len(unknown_ids(wanted, given)):
            match_ids(given, wanted)
        predicted = self._shares(submission)[pair_sorted(given, wanted)]
        # The term of a missing value is dropped: with p equal to t it is 0.
        return Aligned(truth, np.where(np.isnan(predicted), truth, predicted), warnings)

    def _refusal(self, submission: pd.DataFrame, answers: pd.DataFrame) -> tuple[str, ...]:
        """What validation reports for a submission that may have a score nevertheless."""
        try:
            self.check(submission, self.keys(answers))
        except InvalidSubmissionError as refusal:
            return scored_all_the_same(refusal)
        return ()

    def _shares(self, submission: pd.DataFrame) -> npt.NDArray[np.float64]:
        everything = submission.drop(columns=self.id)
        wrong = [name for name in self.targets if everything[name].dtype == bool]
        if wrong:
            refuse(everything[wrong], np.ones((len(everything), len(wrong)), bool), "a share")
        found, votes = numbers(everything), numbers(submission[self.targets])
        require(everything, found, _are_shares, "a number from 0 to 1")
        _require_sums_of_one(votes, found)
        return votes


def _are_shares(found: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
    return np.isnan(found) | ((found >= 0) & (found <= 1))


def _require_sums_of_one(
    votes: npt.NDArray[np.float64], everything: npt.NDArray[np.float64]
) -> None:
    sums = np.nansum(votes, axis=1)
    is_one = (np.round(sums, 5) == 1) & np.isclose(np.nansum(everything, axis=1), 1)
    if not is_one.all():
        row = int(np.argmin(is_one))
        raise InvalidSubmissionError(
            f"the shares of row {row + 1} sum to {sums[row]:.7g}, expected 1"
        )
