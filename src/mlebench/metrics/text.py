"""Metrics on texts."""

from __future__ import annotations

from typing import Any

import numpy as np

from mlebench.errors import InvalidSubmissionError
from mlebench.metrics.base import higher_is_better, lower_is_better
from mlebench.metrics.lists import compare_sets
from mlebench.metrics.threads import on_blocks
from mlebench.metrics.words import as_arrow, bytes_of, in_blocks, split_words

SIGMA = "Σ"
"""The one letter whose lower case depends on what stands around it."""


@higher_is_better
def text_accuracy(y_true: Any, y_pred: Any) -> float:
    """Share of exactly equal texts."""
    import pyarrow.compute as pc

    equal = pc.equal(as_arrow(y_true), as_arrow(y_pred))
    return float(equal.true_count / len(equal))


@lower_is_better
def mean_levenshtein_distance(y_true: Any, y_pred: Any) -> float:
    """Mean over rows of the characters to insert, delete or replace."""
    import pyarrow.compute as pc
    from rapidfuzz.distance import Levenshtein
    from rapidfuzz.process import cpdist

    true, predicted = as_arrow(y_true), as_arrow(y_pred)
    differs = pc.not_equal(true, predicted)
    edits = cpdist(
        true.filter(differs).to_pylist(),
        predicted.filter(differs).to_pylist(),
        scorer=Levenshtein.distance,
        dtype=np.int64,
        workers=-1,
    )
    return float(edits.sum() / len(true))


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
    parts = list(on_blocks(_compare_words, in_blocks(y_true, y_pred)))
    common, union = np.concatenate([np.empty((2, 0)), *parts], axis=1)
    return common, union


def _compare_words(texts: tuple[Any, Any]) -> Any:
    """Both numbers of each row of a block."""
    import pyarrow.compute as pc

    true, predicted = texts
    common, union = np.ones((2, len(true)))
    # Rows that are alike have all words in common, however many, if only they have one.
    is_blank = pc.equal(pc.utf8_trim_whitespace(true), "")
    rows = pc.or_(pc.not_equal(true, predicted), is_blank)
    sizes, _ = compare_sets(*(split_words(_lower(side.filter(rows))) for side in (true, predicted)))
    at = rows.to_numpy(zero_copy_only=False)
    common[at] = sizes[2]
    union[at] = sizes[0] + sizes[1] - sizes[2]
    return np.stack([common, union])


def _lower(texts: Any) -> Any:
    """Lower case as Python has it; Arrow is faster, but knows it for most characters only."""
    import pyarrow.compute as pc

    array = as_arrow(texts)
    if pc.all(pc.string_is_ascii(array)).as_py():
        return pc.ascii_lower(array)
    present = np.zeros(0x110000, dtype=bool)
    present[np.frombuffer(bytes_of(array)[0].tobytes().decode().encode("utf-32-le"), "<u4")] = True
    characters = "".join(map(chr, np.flatnonzero(present)))
    if SIGMA not in characters and pc.utf8_lower(characters).as_py() == characters.lower():
        return pc.utf8_lower(array)
    return as_arrow([text.lower() for text in array.to_pylist()])
