"""Metrics on lists of words, one list a row: sets of labels, ranked guesses, orders, sequences."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Any

import numpy as np

from mlebench.errors import InvalidSubmissionError
from mlebench.metrics.base import Metric, higher_is_better, lower_is_better
from mlebench.metrics.words import as_arrow, python_texts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from mlebench.metrics.words import Texts

ROWS_AT_ONCE = 1 << 15
"""So many rows at a time have hash tables that stay in a processor's cache."""


@higher_is_better
def label_set_micro_f1(y_true: Texts, y_pred: Texts) -> float:
    """2·TP / (2·TP + FP + FN) over all (row, label) pairs; labels never true do not count."""
    return _pair_f1(y_true, y_pred, counts_unknown=False)


@higher_is_better
def word_set_micro_f1(y_true: Texts, y_pred: Texts) -> float:
    """The same, where every predicted word counts, whether or not it is a label of some row."""
    return _pair_f1(y_true, y_pred, counts_unknown=True)


@higher_is_better
def word_set_mean_f1(y_true: Texts, y_pred: Texts) -> float:
    """Mean over rows of the F1 of their words, each counted once; 1 where both have none."""
    total = 0.0
    for truth, guesses in _lists(y_true, y_pred):
        right, guessed = set(truth), set(guesses)
        both = len(right) + len(guessed)
        total += 2 * len(right & guessed) / both if both else 1.0
    return total / len(y_true)


def _pair_f1(y_true: Texts, y_pred: Texts, *, counts_unknown: bool) -> float:
    import pandas as pd
    import pyarrow as pa
    import pyarrow.compute as pc

    truths, guesses = (pc.utf8_split_whitespace(as_arrow(side)) for side in (y_true, y_pred))
    labels = truths.flatten().unique()
    if counts_unknown:
        labels = pa.concat_arrays([labels, guesses.flatten().unique()]).unique()
    labels = labels.filter(pc.not_equal(labels, ""))

    def pairs(lists: Any) -> NDArray[np.int64]:
        codes = pc.index_in(lists.flatten(), value_set=labels)
        is_label = np.asarray(codes.is_valid())
        rows = np.asarray(pc.list_parent_indices(lists))[is_label]
        found: NDArray[np.int64] = rows * len(labels) + np.asarray(codes.drop_null())
        return pd.unique(found)

    both = either = 0
    for first in range(0, len(truths), ROWS_AT_ONCE):
        right, guessed = (pairs(side.slice(first, ROWS_AT_ONCE)) for side in (truths, guesses))
        both += len(right) + len(guessed)
        either += len(pd.unique(np.concatenate([right, guessed])))
    return 2 * (both - either) / both if both else 0.0


def mean_average_precision_at(k: int) -> Metric:
    """Mean over rows of the average precision of the first k guesses, split at single blanks.

    A guess that is right for the first time adds (right ones so far) / rank; the sum is divided by
    the number of true words, k at most. Repeats and empty guesses use up their rank.
    """

    def average_precision(y_true: Texts, y_pred: Texts) -> float:
        rows = zip(python_texts(y_true), python_texts(y_pred), strict=True)
        return float(np.mean([_average_precision(*row, k) for row in rows]))

    return Metric(f"mean_average_precision_at_{k}", False, average_precision)


def _average_precision(truth: str, guesses: str, k: int) -> float:
    right, ranked = set(truth.split(" ")), guesses.split(" ", k)[:k]
    if right.isdisjoint(ranked):
        return 0.0
    possible, hits, gained = min(len(right), k), 0, 0.0
    for rank, guess in enumerate(ranked, 1):
        if guess in right:
            right.remove(guess)
            hits += 1
            gained += hits / rank
    return gained / possible


@higher_is_better
def kendall_tau(y_true: Texts, y_pred: Texts) -> float:
    """1 − 4·S / T: S pairs of a list in the opposite order, T the sum of n·(n − 1) over lists."""
    swapped = pairs = other_words = 0
    other_lengths: list[tuple[int, int]] = []
    for truth, guesses in _lists(y_true, y_pred):
        pairs += len(truth) * (len(truth) - 1)
        if len(truth) != len(guesses):
            other_lengths.append((len(truth), len(guesses)))
        elif truth != guesses:
            swaps = _count_swaps(truth, guesses)
            swapped += swaps or 0
            other_words += swaps is None
    if other_lengths:
        true_length, length = other_lengths[0]
        raise InvalidSubmissionError(
            f"{len(other_lengths)} lists have another length than the true ones, for example"
            f" {length} instead of {true_length} words"
        )
    if other_words:
        raise InvalidSubmissionError(
            f"{other_words} predicted lists do not hold the words of the true list, each exactly"
            " once"
        )
    return 1 - 4 * swapped / pairs


def _count_swaps(truth: Sequence[object], guesses: Sequence[object]) -> int | None:
    """How many pairs of words are in the opposite order; None if the words are not the same."""
    places = dict(zip(truth, count(), strict=False))
    if len(places) < len(truth):
        return _count_swaps(_with_repeats(truth), _with_repeats(guesses))
    swaps = seen = 0
    try:
        for place in map(places.__getitem__, guesses):
            # The bits of later words that came before this one.
            swaps += (seen >> place).bit_count()
            seen |= 1 << place
    except KeyError:
        return None
    return swaps if seen.bit_count() == len(truth) else None


def _with_repeats(words: Sequence[object]) -> list[tuple[object, int]]:
    """Each word with the number of equal ones before it: repeats keep their order."""
    repeats: dict[object, Iterator[int]] = {}
    return [(word, next(repeats.setdefault(word, count()))) for word in words]


@lower_is_better
def list_error_rate(y_true: Texts, y_pred: Texts) -> float:
    """Words to insert, delete or replace so that each list becomes the true one, per true word."""
    from rapidfuzz.distance import Levenshtein

    edits = length = 0
    # Numbers instead of words, of which rapidfuzz would compare the hashes only.
    numbers: dict[str, int] = {}
    for row in _lists(y_true, y_pred):
        edits += Levenshtein.distance(
            *([numbers.setdefault(word, len(numbers)) for word in words] for words in row)
        )
        length += len(row[0])
    return edits / length


def _lists(y_true: Texts, y_pred: Texts) -> Iterator[tuple[list[str], list[str]]]:
    """The words of both texts of each row."""
    for truth, guesses in zip(python_texts(y_true), python_texts(y_pred), strict=True):
        yield truth.split(), guesses.split()
