"""Metrics on texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mlebench.errors import InvalidSubmissionError
from mlebench.metrics.base import Measured, higher_is_better, lower_is_better, mean_of
from mlebench.metrics.words import in_chunks, python_texts

if TYPE_CHECKING:
    from mlebench.metrics.words import Texts


@higher_is_better
def text_accuracy(y_true: Texts, y_pred: Texts) -> Measured:
    """Share of exactly equal texts."""
    import pyarrow.compute as pc

    return mean_of(pc.equal(in_chunks(y_true), in_chunks(y_pred)).to_numpy())


@lower_is_better
def mean_levenshtein_distance(y_true: Texts, y_pred: Texts) -> Measured:
    """Mean over rows of the characters to insert, delete or replace."""
    import pyarrow.compute as pc
    from rapidfuzz.distance import Levenshtein

    sides = in_chunks(y_true), in_chunks(y_pred)
    # Most of the time goes into making Python's strings.
    is_different = pc.not_equal(*sides)
    texts = (side.filter(is_different).to_pylist() for side in sides)
    distances = np.zeros(len(y_true))
    distances[is_different.to_numpy()] = list(map(Levenshtein.distance, *texts))
    return mean_of(distances)


@higher_is_better
def word_jaccard(y_true: Texts, y_pred: Texts) -> Measured:
    """Mean over rows of common words / all words, lower-cased, each word counted once."""
    shares = _shares_of_common_words(y_true, y_pred)
    if None in shares:
        raise InvalidSubmissionError("a predicted text and its answer both contain no word")
    return mean_of(np.array(shares, dtype=float))


@higher_is_better
def lenient_word_jaccard(y_true: Texts, y_pred: Texts) -> Measured:
    """The same, but a row without any word on either side counts 0."""
    return mean_of(np.array([share or 0.0 for share in _shares_of_common_words(y_true, y_pred)]))


def _shares_of_common_words(y_true: Texts, y_pred: Texts) -> list[float | None]:
    """The share of each row; None where neither side has a word."""
    shares: list[float | None] = []
    for true_text, text in zip(python_texts(y_true), python_texts(y_pred), strict=True):
        if true_text == text:
            shares.append(None if not text or text.isspace() else 1.0)
            continue
        truth, guesses = set(true_text.lower().split()), set(text.lower().split())
        common = len(truth & guesses)
        count = len(truth) + len(guesses) - common
        shares.append(common / count if count else None)
    return shares
