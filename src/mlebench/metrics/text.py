"""Metrics on texts."""

from __future__ import annotations

from typing import Any

import numpy as np

from mlebench.errors import InvalidSubmissionError
from mlebench.metrics.base import higher_is_better, lower_is_better
from mlebench.metrics.lists import word_sets
from mlebench.metrics.words import as_arrow, number_words, split_words


@higher_is_better
def text_accuracy(y_true: Any, y_pred: Any) -> float:
    """Share of exactly equal texts."""
    import pyarrow.compute as pc

    equal = pc.equal(as_arrow(y_true), as_arrow(y_pred))
    return float(equal.true_count / len(equal))


@lower_is_better
def mean_levenshtein_distance(y_true: Any, y_pred: Any) -> float:
    """Mean over rows of the characters to insert, delete or replace."""
    from rapidfuzz.distance import Levenshtein
    from rapidfuzz.process import cpdist

    edits = cpdist(list(y_true), list(y_pred), scorer=Levenshtein.distance, dtype=np.int64)
    return float(edits.mean())


@higher_is_better
def word_jaccard(y_true: Any, y_pred: Any) -> float:
    """Mean over rows of common words / all words, lower-cased, each word counted once."""
    common, union = _common_and_all_words(y_true, y_pred)
    if not union.all():
        raise InvalidSubmissionError("a predicted text and its answer both hold no word")
    return float(np.mean(common / union))


@higher_is_better
def lenient_word_jaccard(y_true: Any, y_pred: Any) -> float:
    """The same, but a row without any word on either side counts 0."""
    common, union = _common_and_all_words(y_true, y_pred)
    return float(np.mean(common / np.maximum(union, 1)))


def _common_and_all_words(y_true: Any, y_pred: Any) -> tuple[Any, Any]:
    """For each row the number of different words on both sides, and on either."""
    true, predicted = split_words(_lower(y_true)), split_words(_lower(y_pred))
    true_numbers, predicted_numbers = number_words(true, predicted)
    size = 1 + max(int(n.max(initial=-1)) for n in (true_numbers, predicted_numbers))
    true_sets = word_sets(true, true_numbers, size)
    predicted_sets = word_sets(predicted, predicted_numbers, size)
    common = np.diff(true_sets.multiply(predicted_sets).tocsr().indptr)
    union = np.diff(true_sets.indptr) + np.diff(predicted_sets.indptr) - common
    return common, union


def _lower(texts: Any) -> Any:
    """Lower case as Python has it; Arrow knows the same for ASCII only, but is much faster."""
    import pyarrow.compute as pc

    array = as_arrow(texts)
    if pc.all(pc.string_is_ascii(array)).as_py():
        return pc.ascii_lower(array)
    return as_arrow([text.lower() for text in array.to_pylist()])
