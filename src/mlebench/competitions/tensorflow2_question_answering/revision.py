"""Revision v1.1: F1 of the answers, as on Kaggle; a row rightly left blank does not count."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mlebench.metrics import higher_is_better
from mlebench.metrics.words import python_texts
from mlebench.revision import Changes, Fix

if TYPE_CHECKING:
    from mlebench.metrics.words import Texts


@higher_is_better
def answer_f1(y_true: Texts, y_pred: Texts) -> float:
    """2·TP / (2·TP + FP + FN) over all rows.

    A given answer is a TP if it is one of the true ones (words), else an FP; a blank row with a
    true answer is an FN, one without does not count.
    """
    hits = given = missed = 0
    for truth, guess in zip(python_texts(y_true), python_texts(y_pred), strict=True):
        answers, words = truth.split(), guess.split(maxsplit=1)
        given += bool(words)
        hits += bool(words) and words[0] in answers
        missed += not words and bool(answers)
    return 2 * hits / (hits + given + missed) if hits else 0.0


changes = Changes(
    fixes=(
        Fix(
            "rows that are rightly left blank count as hits: a file without any answer scores 0.57",
            "F1 of the given answers, to which true negatives contribute nothing",
        ),
    ),
    comparability="new",
    metric=answer_f1,
)
