"""Metrics on texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mlebench.errors import InvalidSubmissionError
from mlebench.metrics.base import higher_is_better, lower_is_better
from mlebench.metrics.words import in_chunks, python_texts

if TYPE_CHECKING:
    from mlebench.metrics.words import Texts


@higher_is_better
def text_accuracy(y_true: Texts, y_pred: Texts) -> float:
    """Share of exactly equal texts."""
    import pyarrow.compute as pc

    equal: int = pc.sum(pc.equal(in_chunks(y_true), in_chunks(y_pred))).as_py()
    return equal / len(y_true)


@lower_is_better
def mean_levenshtein_distance(y_true: Texts, y_pred: Texts) -> float:
    """Mean over rows of the characters to insert, delete or replace."""
    import pyarrow.compute as pc
    from rapidfuzz.distance import Levenshtein

    sides = in_chunks(y_true), in_chunks(y_pred)
    # Most of the time goes into making Python's strings.
    is_different = pc.not_equal(*sides)
    texts = (side.filter(is_different).to_pylist() for side in sides)
    return sum(map(Levenshtein.distance, *texts)) / len(y_true)


@higher_is_better
def word_jaccard(y_true: Texts, y_pred: Texts) -> float:
    """Mean over rows of common words / all words, lower-cased, each word counted once."""
    shares = _shares_of_common_words(y_true, y_pred)
    if None in shares:
        raise InvalidSubmissionError("a predicted text and its answer both hold no word")
    return float(np.mean(np.array(shares, dtype=float)))


@higher_is_better
def lenient_word_jaccard(y_true: Texts, y_pred: Texts) -> float:
    """The same, but a row without any word on either side counts 0."""
    return float(np.mean([share or 0.0 for share in _shares_of_common_words(y_true, y_pred)]))


def _shares_of_common_words(y_true: Texts, y_pred: Texts) -> list[float | None]:
    """The share of each row; None where neither side has a word."""
    shares = []
    for row in zip(python_texts(y_true), python_texts(y_pred), strict=True):
        truth, guesses = (set(text.lower().split()) for text in row)
        words = truth | guesses
        shares.append(len(truth & guesses) / len(words) if words else None)
    return shares
