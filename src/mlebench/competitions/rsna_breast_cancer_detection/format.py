"""Likelihoods of cancer; missing values are accepted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mlebench.errors import InvalidSubmissionError
from mlebench.formats.values import numbers, numbers_without_gaps

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray


def likelihoods(frame: pd.DataFrame) -> NDArray[np.float64]:
    """Any numbers, since the metric cuts them to [0, 1], unless all are below 0."""
    found = numbers_without_gaps(frame)
    if (found < 0).all():
        raise InvalidSubmissionError("all values of 'cancer' are below 0, expected probabilities")
    return found


def nothing_right(frame: pd.DataFrame, _: object = None) -> NDArray[np.float64]:
    """Numbers; one missing value makes the sums of the published grader NaN and the score 0."""
    if not np.isnan(numbers(frame)).any():
        likelihoods(frame)
    return np.zeros(len(frame))
