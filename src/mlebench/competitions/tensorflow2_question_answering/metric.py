"""Share of questions that are answered, or left without an answer, correctly."""

from __future__ import annotations

from typing import Any

import numpy as np

from mlebench.metrics import Measured, higher_is_better, mean_of
from mlebench.metrics.words import python_texts


@higher_is_better
def share_of_right_answers(y_true: Any, y_pred: Any) -> Measured:
    """An answer is right if it is one of the true ones (words); no answer, if there is none."""
    rows = zip(python_texts(y_true), python_texts(y_pred), strict=True)
    return mean_of(
        np.array([_is_right(truth.split(), guess.split(maxsplit=1)) for truth, guess in rows])
    )


def _is_right(answers: list[str], guess: list[str]) -> bool:
    return guess[0] in answers if guess else not answers
