"""Metrics on lists of words, one list per row: sets of labels, guesses, orders, sequences."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

import numpy as np

from mlebench.errors import InvalidSubmissionError
from mlebench.metrics.base import (
    Measured,
    Metric,
    higher_is_better,
    lower_is_better,
    mean_of,
    ratio_of,
)
from mlebench.metrics.words import KEY_BYTES, PlainWords, as_arrow, keys_of_words, python_texts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from mlebench.metrics.words import Texts

PAIRS_AT_ONCE = 1 << 22
"""Possible pairs of row and label that are counted at a time, with a number for each."""


@higher_is_better
def label_set_micro_f1(y_true: Texts, y_pred: Texts) -> Measured:
    """2·TP / (2·TP + FP + FN) over all (row, label) pairs; labels never true do not count."""
    return _pair_f1(y_true, y_pred, counts_unknown=False)


@higher_is_better
def word_set_micro_f1(y_true: Texts, y_pred: Texts) -> Measured:
    """The same, where every predicted word counts, whether or not it is a label of some row."""
    return _pair_f1(y_true, y_pred, counts_unknown=True)


@higher_is_better
def word_set_mean_f1(y_true: Texts, y_pred: Texts) -> Measured:
    """Mean over rows of the F1 of their words, each counted once; 1 where both have none."""
    values = []
    for truth, guesses in _lists(y_true, y_pred):
        right, guessed = set(truth), set(guesses)
        both = len(right) + len(guessed)
        values.append(2 * len(right & guessed) / both if both else 1.0)
    return mean_of(np.array(values))


def _pair_f1(y_true: Texts, y_pred: Texts, *, counts_unknown: bool) -> Measured:
    import pandas as pd

    (true_counts, true_keys), (counts, keys) = keys_of_words(y_true), keys_of_words(y_pred)
    codes, labels = pd.factorize(np.concatenate([true_keys, keys]))
    # Codes are numbered as they occur, those of true labels first.
    known = len(labels) if counts_unknown else int(codes[: len(true_keys)].max(initial=-1)) + 1
    rows = np.arange(len(y_true))
    pairs = np.concatenate([np.repeat(rows, true_counts), np.repeat(rows, counts)]) * known + codes
    right, guessed = pairs[: len(true_keys)], pairs[len(true_keys) :]
    guessed = guessed[codes[len(true_keys) :] < known]
    both, either = np.zeros((2, len(rows)), np.int64)
    step = max(PAIRS_AT_ONCE // max(known, 1), 1)
    last = np.empty(step * known, np.int32)
    for first in range(0, len(rows), step):
        edges = np.multiply((first, first + step), known)
        parts = [part[slice(*np.searchsorted(part, edges))] - edges[0] for part in (right, guessed)]
        block = slice(first, first + step)
        for part in parts:
            both[block] += _count_distinct(part, last, known, len(both[block]))
        either[block] = _count_distinct(np.concatenate(parts), last, known, len(both[block]))
    total, common = int(both.sum()), both - either
    return ratio_of(2 * common, both, 2 * int(common.sum()) / total if total else 0.0)


def _count_distinct(
    pairs: NDArray[np.int64], last: NDArray[np.int32], labels: int, rows: int
) -> NDArray[np.int64]:
    """For each row the number of different pairs, with an array that has a place for each pair."""
    positions = np.arange(len(pairs), dtype=np.int32)
    last[pairs] = positions
    return np.bincount(pairs[last[pairs] == positions] // max(labels, 1), minlength=rows)


def mean_average_precision_at(k: int) -> Metric:
    """Mean over rows of the average precision of the first k guesses, split at single blanks.

    A guess that is right for the first time adds (right ones so far) / rank; the sum is divided by
    the number of true words, k at most. Repeats and empty guesses use up their rank.
    """

    def average_precision(y_true: Texts, y_pred: Texts) -> Measured:
        values = _precisions_of_words(y_true, y_pred, k)
        if values is None:
            rows = zip(python_texts(y_true), python_texts(y_pred), strict=True)
            values = np.array([_average_precision(*row, k) for row in rows])
        return mean_of(values)

    return Metric(f"mean_average_precision_at_{k}", False, average_precision)


def _precisions_of_words(y_true: Texts, y_pred: Texts, k: int) -> NDArray[np.float64] | None:
    """The average precisions if each truth is one word and all words are short, else None."""
    truth = _short_words(y_true)
    if truth is None or (truth.counts != 1).any():
        return None
    guesses = _short_words(y_pred)
    if guesses is None:
        return None
    hits = np.flatnonzero(guesses.keys() == np.repeat(truth.keys(), guesses.counts))[::-1]
    rows = np.repeat(np.arange(len(guesses.counts)), guesses.counts)[hits]
    ranks = np.full(len(guesses.counts), k + 1)
    # Backwards, so that of several hits of a row the first is written last.
    ranks[rows] = hits + 1 - (np.cumsum(guesses.counts) - guesses.counts)[rows]
    return np.where(ranks <= k, 1 / ranks, 0.0)


def _short_words(texts: Texts) -> PlainWords | None:
    """Plain words with single blanks between; None if a text is different or a word is long."""
    words = PlainWords.of(as_arrow(texts))
    if words is None or not words.has_single_blanks():
        return None
    return words if (words.ends - words.starts).max(initial=0) <= KEY_BYTES else None


def _average_precision(truth: str, guesses: str, k: int) -> float:
    ranked = guesses.split(" ", k)[:k]
    if " " not in truth:
        return 1 / (ranked.index(truth) + 1) if truth in ranked else 0.0
    right = set(truth.split(" "))
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
def kendall_tau(y_true: Texts, y_pred: Texts) -> Measured:
    """1 − 4·S / T: S pairs of a list in the opposite order, T the sum of n·(n − 1) over lists."""
    swapped, pairs, other_words = list[int](), list[int](), 0
    other_lengths: list[tuple[int, int]] = []
    for truth, guesses in _lists(y_true, y_pred):
        pairs.append(len(truth) * (len(truth) - 1))
        swapped.append(0)
        if len(truth) != len(guesses):
            other_lengths.append((len(truth), len(guesses)))
        elif truth != guesses:
            swaps = _count_swaps(truth, guesses)
            swapped[-1] = swaps or 0
            other_words += swaps is None
    if other_lengths:
        true_length, length = other_lengths[0]
        raise InvalidSubmissionError(
            f"{len(other_lengths)} lists differ in length from the true ones, for example"
            f" {length} instead of {true_length} words"
        )
    if other_words:
        raise InvalidSubmissionError(
            f"{other_words} predicted lists do not contain the words of the true list, each exactly"
            " once"
        )
    score = 1 - 4 * sum(swapped) / sum(pairs)
    return ratio_of(np.array(pairs) - 4 * np.array(swapped), np.array(pairs), score)


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
def list_error_rate(y_true: Texts, y_pred: Texts) -> Measured:
    """Words to insert, delete or replace so that each list becomes the true one, per true word."""
    from rapidfuzz.distance import Levenshtein

    edits, lengths = list[int](), list[int]()
    # Numbers instead of words, of which rapidfuzz would compare the hashes only.
    numbers: dict[str, int] = {}
    for row in _lists(y_true, y_pred):
        edits.append(
            Levenshtein.distance(
                *([numbers.setdefault(word, len(numbers)) for word in words] for words in row)
            )
        )
        lengths.append(len(row[0]))
    return ratio_of(np.array(edits), np.array(lengths), sum(edits) / sum(lengths))


def _lists(y_true: Texts, y_pred: Texts) -> Iterator[tuple[list[str], list[str]]]:
    """The words of both texts of each row."""
    for truth, guesses in zip(python_texts(y_true), python_texts(y_pred), strict=True):
        yield truth.split(), guesses.split()
