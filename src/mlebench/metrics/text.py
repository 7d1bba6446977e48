"""Metrics on texts."""

from __future__ import annotations

from typing import Any

from mlebench.errors import InvalidSubmissionError
from mlebench.metrics.base import higher_is_better


@higher_is_better
def word_jaccard(y_true: Any, y_pred: Any) -> float:
    """Mean over rows of common words / all words, lower-cased, each word counted once."""
    total = 0.0
    for true_text, predicted_text in zip(y_true, y_pred, strict=True):
        true_words, predicted_words = (
            set(true_text.lower().split()),
            set(predicted_text.lower().split()),
        )
        common = len(true_words & predicted_words)
        union = len(true_words) + len(predicted_words) - common
        if not union:
            raise InvalidSubmissionError("a predicted text and its answer both hold no word")
        total += common / union
    return total / len(y_true)
