"""A row for each customer there is, of whom only those that bought something count."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from mlebench.data.frames import Frame
from mlebench.errors import InvalidSubmissionError
from mlebench.grading.formats import in_order, require_columns
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
        self._numbered(as_arrow(submission[self.id].astype(str)))

    def align(self, submission: Frame, answers: Frame) -> tuple[Any, Any]:
        import pyarrow as pa

        require_columns(submission, [self.id, self.target], exact=True)
        customers, wanted = (
            as_arrow(table[self.id].astype(str)) for table in (submission, answers)
        )
        row = self._numbered(pa.concat_arrays([customers, wanted]), len(customers))
        row = row[len(customers) :]
        if row.max(initial=-1) >= len(customers):
            raise InvalidSubmissionError(
                f"submission with {len(submission):,} rows lacks customers; expected every"
                f" {self.id} of sample_submission.csv"
            )
        predictions = printed_texts(submission[[self.target]])
        return printed_texts(answers[[self.target]]), in_order(predictions, row)

    def _numbered(self, customers: Any, rows: int | None = None) -> Any:
        """The row of each customer: of the first rows, or of all, none may stand there twice."""
        numbers = customers.dictionary_encode().indices.to_numpy()
        is_double = numbers[:rows] != np.arange(len(numbers[:rows]))
        if is_double.any():
            double = customers[int(np.argmax(is_double))].as_py()
            raise InvalidSubmissionError(
                f"{self.id!r} holds {double[:80]!r} more than once; expected each customer once"
            )
        return numbers
