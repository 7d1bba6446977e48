"""Rows in the order of the answers: the published grader never looks at ids."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mlebench.errors import InvalidSubmissionError
from mlebench.formats import Aligned, require_columns, require_rows
from mlebench.formats.base import scored_all_the_same
from mlebench.formats.rows import truth_in
from mlebench.formats.values import converted_numbers, numbers_between, require

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

LARGEST = float(np.finfo(float).max)
at_least_0 = numbers_between(0, LARGEST)


@dataclass(frozen=True)
class RowInOrder:
    """One row per answer, matched by position alone; ids and all other columns are ignored."""

    targets: tuple[str, ...]

    @property
    def id(self) -> None:
        return None

    def keys(self, answers: pd.DataFrame) -> pd.Index:
        return answers.index

    def check(self, submission: pd.DataFrame, keys: pd.Index) -> None:
        at_least_0(self._columns(submission, len(keys)))

    def align(self, submission: pd.DataFrame, answers: pd.DataFrame) -> Aligned:
        columns = self._columns(submission, len(answers))
        truth = truth_in(answers, list(self.targets))
        try:
            return Aligned(truth, _in_half_precision(columns, at_least_0(columns)))
        except InvalidSubmissionError as refusal:
            found = converted_numbers(columns)
            require(columns, found, lambda values: values >= 0, "a number from 0")
            return Aligned(truth, found, scored_all_the_same(refusal))

    def _columns(self, submission: pd.DataFrame, rows: int) -> pd.DataFrame:
        require_columns(submission, list(self.targets))
        require_rows(submission, rows, "row of the test table")
        return submission[list(self.targets)]


def _in_half_precision(columns: pd.DataFrame, found: NDArray[np.float64]) -> NDArray[np.float64]:
    """The numbers; True and False as 16-bit floats, with which numpy computes their logarithm."""
    for place, name in enumerate(columns):
        if columns[name].dtype == bool:
            logarithms = np.log1p(columns[name].to_numpy()).astype(float)
            found[:, place] = np.expm1(logarithms)
    return found
