"""A row for each customer there is, of whom only those that bought something count."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from mlebench.data.frames import Frame
from mlebench.errors import InvalidSubmissionError
from mlebench.grading.formats import require_columns
from mlebench.grading.values import printed_texts
from mlebench.metrics.words import as_arrow


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
        import pyarrow.compute as pc

        self.check(submission, None)
        customers, wanted = (
            as_arrow(table[self.id].astype(str)) for table in (submission, answers)
        )
        row = pc.index_in(wanted, value_set=customers)
        if row.null_count:
            raise InvalidSubmissionError(
                f"submission with {len(submission):,} rows lacks customers; expected every"
                f" {self.id} of sample_submission.csv"
            )
        predictions = printed_texts(submission[[self.target]])
        return printed_texts(answers[[self.target]]), predictions[row.to_numpy()]
