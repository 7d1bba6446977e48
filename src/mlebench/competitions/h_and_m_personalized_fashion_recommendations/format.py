"""A row for each customer there is, of whom only those that bought something count."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from mlebench.errors import InvalidSubmissionError
from mlebench.formats import Aligned, in_order, require_columns
from mlebench.formats.ids import look_up_and_repeat
from mlebench.formats.values import printed_texts
from mlebench.tables.frames import Frame


@dataclass(frozen=True)
class CustomersCovered:
    """Every customer of the answers has one row; those of other customers are ignored.

    Who is in the answers is a secret of its own, so `check` knows nothing of them.
    """

    id: str
    target: str

    @property
    def targets(self) -> list[str]:
        return [self.target]

    def keys(self, answers: Frame) -> None:
        return None

    def check(self, submission: Frame, keys: None) -> None:
        self._rows(submission, submission[:0])

    def align(self, submission: Frame, answers: Frame) -> Aligned:
        rows = self._rows(submission, answers)
        if rows.min(initial=0) < 0:
            raise InvalidSubmissionError(
                f"submission with {len(submission):,} rows lacks customers; expected every"
                f" {self.id} of sample_submission.csv"
            )
        predictions = printed_texts(submission[[self.target]])
        return Aligned(printed_texts(answers[[self.target]]), in_order(predictions, rows))

    def _rows(self, submission: Frame, answers: Frame) -> Any:
        """Where the customers of the answers stand, or −1; nobody may stand there twice."""
        require_columns(submission, [self.id, self.target], exact=True)
        customers = self._customers(submission)
        rows, repeat = look_up_and_repeat(customers, self._customers(answers))
        if repeat >= 0:
            raise InvalidSubmissionError(
                f"{self.id!r} holds {customers.iloc[repeat][:80]!r} more than once; expected each"
                " customer once"
            )
        return rows

    def _customers(self, table: Frame) -> Any:
        """The ids as texts, also those that read as numbers or gaps."""
        return table[self.id].astype(str).fillna("nan")
