"""Ranked guesses per picture, in the order in which the published grader adds up their scores."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mlebench.formats import Aligned, TextPerId
from mlebench.formats.matching import sorting_order

if TYPE_CHECKING:
    import pandas as pd


class GuessesByPicture(TextPerId):
    """Like TextPerId, but both sides are sorted by id.

    Many scores are halfway between two values of five digits, and the order of the terms of a sum
    decides to which side the last bit falls.
    """

    def align(self, submission: pd.DataFrame, answers: pd.DataFrame) -> Aligned:
        truth, prediction, warnings = super().align(submission, answers)
        order = sorting_order(answers[self.id])
        return Aligned(truth[order], prediction[order], warnings)
