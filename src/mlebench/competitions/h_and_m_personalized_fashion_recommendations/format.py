"""A row for each customer there is, of whom only those that bought something count."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from mlebench.data.frames import Frame
from mlebench.errors import InvalidSubmissionError
from mlebench.grading.formats import match_ids, require_columns
from mlebench.grading.values import printed_texts


@dataclass(frozen=True)
class CustomersCovered:
    """Every customer of the answers has one row; those of other customers are ignored.

    Who is in the answers is a secret of its own, so `check` knows nothing of them.
    """

    id: str
    target: str

    def keys(self, answers: Frame) -> None:
        return None

    def check(self, submission: Frame, keys: None) -> None:
        require_columns(submission, [self.id, self.target], exact=True)
        double = submission[self.id].duplicated()
        if double.any():
            raise InvalidSubmissionError(
                f"{self.id!r} holds {str(submission[self.id][double].iloc[0])[:80]!r} more than"
                " once; expected each customer once"
            )

    def align(self, submission: Frame, answers: Frame) -> tuple[Any, Any]:
        self.check(submission, None)
        counted = submission[submission[self.id].isin(answers[self.id])]
        if len(counted) < len(answers):
            raise InvalidSubmissionError(
                f"submission with {len(submission):,} rows lacks customers; expected every"
                f" {self.id} of sample_submission.csv"
            )
        # Cells are read with the whole column: one gap among numbers makes floats of them all.
        texts = printed_texts(submission[[self.target]])[submission[self.id].isin(answers[self.id])]
        order = match_ids(counted[self.id], answers[self.id])
        return printed_texts(answers[[self.target]]), texts[order]
