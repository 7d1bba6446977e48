"""Share of questions that are answered rightly, or rightly left without an answer."""

from __future__ import annotations

from typing import Any

from mlebench.metrics import higher_is_better
from mlebench.metrics.words import python_texts


@higher_is_better
def share_of_right_answers(y_true: Any, y_pred: Any) -> float:
    """An answer is right if it is one of the true ones (words); no answer, if there is none."""
    rows = zip(python_texts(y_true), python_texts(y_pred), strict=True)
    return sum(_is_right(truth.split(), guess.split(maxsplit=1)) for truth, guess in rows) / len(
        y_true
    )


def _is_right(answers: list[str], guess: list[str]) -> bool:
    return guess[0] in answers if guess else not answers
