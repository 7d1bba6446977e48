"""The submission: a row per base, of which those at the places of measured bases count."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from mlebench.formats import Aligned, SomeAligned, match_ids, require_columns, require_rows
from mlebench.formats.ids import is_equal
from mlebench.formats.values import finite_numbers

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class KeptRows:
    """Rows that count are found by their place in the file, then paired by the order of their ids.

    In the order of the sample submission both are right. In any other the wrong rows are compared
    without a warning, as in the published grader.
    """

    id: str
    targets: tuple[str, ...]
    scored: tuple[str, ...]
    keep: str

    def keys(self, answers: pd.DataFrame) -> pd.DataFrame:
        # The public test data states which bases were measured.
        return answers[[self.id, self.keep]]

    def check(self, submission: pd.DataFrame, keys: pd.DataFrame) -> None:
        self._predictions(submission, keys)

    def align(self, submission: pd.DataFrame, answers: pd.DataFrame) -> Aligned:
        values = self._predictions(submission, self.keys(answers))
        is_kept = answers[self.keep].to_numpy()
        truth = answers[list(self.scored)].to_numpy()[is_kept]
        given, wanted = submission[self.id], answers[self.id]
        if is_equal(given, wanted):
            return SomeAligned.of(truth, values, rows=np.flatnonzero(is_kept))
        order, given_order = (
            np.argsort(ids[is_kept].to_numpy(dtype=object)) for ids in (wanted, given)
        )
        kept = np.flatnonzero(is_kept)[order]
        return SomeAligned.of(truth[order], values[given_order], rows=kept)

    def _predictions(self, submission: pd.DataFrame, keys: pd.DataFrame) -> Any:
        require_rows(submission, len(keys), self.id)
        require_columns(submission, [self.id, *self.targets])
        match_ids(submission[self.id], keys[self.id])
        return finite_numbers(submission[list(self.scored)][keys[self.keep].to_numpy()])
