"""The submission: a forecast for any weeks of the test patients, of which the last visits count."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from mlebench.errors import InvalidSubmissionError
from mlebench.formats import Aligned, SomeAligned, require_columns, unknown_ids
from mlebench.formats.ids import is_equal, look_up
from mlebench.formats.values import numbers

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class WeeklyForecast:
    """A value and a confidence per patient and week; weeks without a visit may be left out."""

    id: str = "Patient_Week"
    targets: tuple[str, str] = ("FVC", "Confidence")
    visits: int = 3
    """How many of a patient's visits count, from the last."""

    def keys(self, answers: pd.DataFrame) -> pd.DataFrame:
        return answers[[self.id]]

    def check(self, submission: pd.DataFrame, keys: pd.DataFrame) -> None:
        self._predictions(submission, keys)

    def align(self, submission: pd.DataFrame, answers: pd.DataFrame) -> Aligned:
        values = self._predictions(submission, self.keys(answers))
        scored = self._scored(answers)
        rows = look_up(scored[self.id], submission[self.id])
        given = np.flatnonzero(rows >= 0)
        # Not in `check`, which must not reveal the weeks that count.
        if not len(given):
            raise InvalidSubmissionError("submission has none of the weeks that are scored")
        if len(np.unique(rows[given])) < len(given):
            raise InvalidSubmissionError(f"a {self.id} that counts occurs more than once")
        pairs = rows[given]
        return SomeAligned.of(
            scored["FVC"].to_numpy()[pairs], values[given], rows=scored.index.to_numpy()[pairs]
        )

    def _scored(self, answers: pd.DataFrame) -> pd.DataFrame:
        seen = answers[answers["FVC"].notna()].sort_values(["Patient", "Weeks"])
        return seen.groupby("Patient").tail(self.visits)

    def _predictions(self, submission: pd.DataFrame, keys: pd.DataFrame) -> Any:
        require_columns(submission, [self.id, *self.targets])
        ids = submission[self.id]
        foreign = ids[:0] if is_equal(ids, keys[self.id]) else unknown_ids(ids, keys[self.id])
        if len(foreign):
            raise InvalidSubmissionError(
                f"{len(foreign):,} values of {self.id!r} are not in the sample submission, for"
                f" example {str(foreign.iloc[0])[:80]!r}"
            )
        values = numbers(submission[list(self.targets)])
        values[:, 1] = np.nan_to_num(values[:, 1], nan=0.0)
        return values
