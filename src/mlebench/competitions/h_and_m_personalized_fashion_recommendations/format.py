"""One row per customer; only customers who bought something are scored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mlebench.errors import InvalidSubmissionError
from mlebench.formats import Aligned, in_order, require_columns
from mlebench.formats.base import scored_all_the_same
from mlebench.formats.ids import are_unique, look_up
from mlebench.formats.matching import sorting_order
from mlebench.formats.values import printed_texts

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray


@dataclass(frozen=True)
class CustomersCovered:
    """Every customer of the answers has a row; those of other customers are ignored.

    Which customers are in the answers is secret, so `check` does not use them.
    """

    id: str
    target: str

    @property
    def targets(self) -> list[str]:
        return [self.target]

    def keys(self, answers: pd.DataFrame) -> None:
        return None

    def check(self, submission: pd.DataFrame, keys: None) -> None:
        _, repeated = self._rows(submission, submission[:0])
        if repeated:
            raise repeated

    def align(self, submission: pd.DataFrame, answers: pd.DataFrame) -> Aligned:
        rows, repeated = self._rows(submission, answers)
        if rows.min(initial=0) < 0:
            raise InvalidSubmissionError(
                f"submission with {len(submission):,} rows lacks customers; expected every"
                f" {self.id} of sample_submission.csv"
            )
        truth = printed_texts(answers[[self.target]])
        predictions = printed_texts(submission[[self.target]])
        if repeated is None:
            return Aligned(truth, in_order(predictions, rows))
        answer_rows, rows = self._shifted(submission, answers)
        return Aligned(truth[answer_rows], predictions[rows], scored_all_the_same(repeated))

    def _rows(
        self, submission: pd.DataFrame, answers: pd.DataFrame
    ) -> tuple[NDArray[np.int64], InvalidSubmissionError | None]:
        """The rows of the customers of the answers, or −1; and the refusal of repeated ones."""
        require_columns(submission, [self.id, self.target], exact=True)
        customers, wanted = self._customers(submission), self._customers(answers)
        # Few customers are in the answers: the others are looked up among these.
        places = look_up(wanted, customers)
        bought = np.flatnonzero(places >= 0)[::-1]
        rows = np.full(len(wanted), -1)
        rows[places[bought]] = bought
        if are_unique(customers):
            return rows, None
        repeat = customers[customers.duplicated()].iloc[0]
        return rows, InvalidSubmissionError(
            f"{self.id!r} holds {repeat[:80]!r} more than once; expected each customer once"
        )

    def _shifted(
        self, submission: pd.DataFrame, answers: pd.DataFrame
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Answer rows and rows as the published grader pairs them: both sides by customer.

        A customer with two rows shifts all later ones; the surplus at the end is ignored.
        """
        wanted, given = self._customers(answers), self._customers(submission)
        bought = np.flatnonzero(look_up(wanted, given) >= 0)
        rows = bought[sorting_order(given.iloc[bought])]
        return sorting_order(wanted), rows[: len(wanted)]

    def _customers(self, table: pd.DataFrame) -> pd.Series[str]:
        """The ids as strings, also those that look like numbers or missing values."""
        return table[self.id].astype(str).fillna("nan")
