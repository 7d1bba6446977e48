"""A row for each customer there is, of whom only those that bought something count."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from mlebench.data.frames import Frame
from mlebench.errors import InvalidSubmissionError
from mlebench.grading.formats import in_order, require_columns
from mlebench.grading.ids import first_repeat, look_up
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
        customers = self._customers(submission)
        repeat = first_repeat(customers)
        if repeat >= 0:
            raise InvalidSubmissionError(
                f"{self.id!r} holds {customers.iloc[repeat][:80]!r} more than once; expected each"
                " customer once"
            )

    def align(self, submission: Frame, answers: Frame) -> tuple[Any, Any]:
        self.check(submission, None)
        row = look_up(self._customers(submission), self._customers(answers))
        if row.min(initial=0) < 0:
            raise InvalidSubmissionError(
                f"submission with {len(submission):,} rows lacks customers; expected every"
                f" {self.id} of sample_submission.csv"
            )
        predictions = printed_texts(submission[[self.target]])
        return printed_texts(answers[[self.target]]), in_order(predictions, row)

    def _customers(self, table: Frame) -> Any:
        """The ids as texts, also those that read as numbers or gaps."""
        return table[self.id].astype(str).fillna("nan")
