"""Metrics on lists of words, one list a row: sets of labels, ranked guesses, orders, sequences."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from mlebench.errors import InvalidSubmissionError
from mlebench.metrics.base import Metric, higher_is_better, lower_is_better
from mlebench.metrics.words import Words, number_words, split_at_blanks, split_words

CELLS_AT_ONCE = 4_000_000


@higher_is_better
def label_set_micro_f1(y_true: Any, y_pred: Any) -> float:
    """2·TP / (2·TP + FP + FN) over all (row, label) pairs; labels never true do not count."""
    true, predicted = split_words(y_true), split_words(y_pred)
    true_numbers, predicted_numbers = number_words(true, predicted)
    known = int(true_numbers.max(initial=-1)) + 1
    true_sets = word_sets(true, true_numbers, known)
    predicted_sets = word_sets(
        *_only(predicted, predicted_numbers, predicted_numbers < known), known
    )
    both = true_sets.nnz + predicted_sets.nnz
    return 2 * true_sets.multiply(predicted_sets).nnz / both if both else 0.0


def mean_average_precision_at(k: int) -> Metric:
    """Mean over rows of the average precision of the first k guesses, split at single blanks.

    A guess that is right for the first time adds (right ones so far) / rank; the sum is divided by
    the number of true words, k at most. Repeats and empty guesses use up their rank.
    """

    def average_precision(y_true: Any, y_pred: Any) -> float:
        true, guesses = split_at_blanks(y_true), split_at_blanks(y_pred)
        true_numbers, guess_numbers = number_words(true, guesses)
        size = int(max(true_numbers.max(), guess_numbers.max())) + 1
        true_sets = word_sets(true, true_numbers, size)
        rows = guesses.rows
        ranks = np.arange(len(rows)) - guesses.starts[rows] + 1
        hits = np.flatnonzero(ranks <= k)
        hits = hits[np.asarray(true_sets[rows[hits], guess_numbers[hits]])]
        _, first = np.unique(rows[hits] * size + guess_numbers[hits], return_index=True)
        hits = hits[np.sort(first)]
        hits_before = np.searchsorted(rows[hits], rows[hits])
        precision = (np.arange(len(hits)) - hits_before + 1) / ranks[hits]
        sums = np.bincount(rows[hits], weights=precision, minlength=len(y_true))
        return float(np.mean(sums / np.minimum(np.diff(true_sets.indptr), k)))

    return Metric(f"mean_average_precision_at_{k}", False, average_precision)


@higher_is_better
def kendall_tau(y_true: Any, y_pred: Any) -> float:
    """1 − 4·S / T: S pairs of a list in the opposite order, T the sum of n·(n − 1) over lists."""
    true, predicted = split_words(y_true), split_words(y_pred)
    counts = true.counts
    wrong = predicted.counts != counts
    if wrong.any():
        raise InvalidSubmissionError(
            f"the list of row {int(np.argmax(wrong)) + 1} (in the order of the answers) has"
            f" {int(predicted.counts[np.argmax(wrong)])} words, expected"
            f" {int(counts[np.argmax(wrong)])} ({int(wrong.sum())} such lists)"
        )
    true_numbers, predicted_numbers = number_words(true, predicted)
    swapped = 0
    for rows in _alike_in_length(counts):
        length = counts[rows]
        ranks = _ranks(
            _padded(true_numbers, true.starts[rows], length),
            _padded(predicted_numbers, predicted.starts[rows], length),
        )
        # What pads a list ranks behind all of it, and equal: it swaps with nothing.
        ranks = np.minimum(ranks, length[:, None]).T.copy()
        for apart in range(1, len(ranks)):
            swapped += int(np.count_nonzero(ranks[:-apart] > ranks[apart:]))
    return 1 - 4 * swapped / int(np.sum(counts * (counts - 1)))


def _alike_in_length(counts: Any) -> Any:
    """Row numbers in blocks that waste little when padded to one length, and bounded in size."""
    order = np.argsort(counts, kind="stable")
    start = 0
    while start < len(order):
        length = max(int(counts[order[start]]), 1)
        stop = int(np.searchsorted(counts[order], length + length // 4, side="right"))
        stop = min(stop, start + max(CELLS_AT_ONCE // length, 1))
        yield order[start:stop]
        start = stop


def _padded(numbers: Any, starts: Any, length: Any) -> Any:
    """Lists as the rows of one matrix; behind its end each is filled with a number beyond all."""
    places = np.arange(length.max(initial=0))
    cells = np.append(numbers, np.iinfo(numbers.dtype).max)
    return cells[np.where(places < length[:, None], starts[:, None] + places, len(numbers))]


def _ranks(true: Any, predicted: Any) -> Any:
    """The place in the true list of each predicted word."""
    by_true, by_predicted = np.argsort(true, axis=1), np.argsort(predicted, axis=1)
    same = np.take_along_axis(true, by_true, 1) == np.take_along_axis(predicted, by_predicted, 1)
    if not same.all():
        raise InvalidSubmissionError(
            f"{int(np.sum(~same.all(axis=1)))} predicted lists do not hold the words of the true"
            " list, each exactly once"
        )
    ranks = np.empty(true.shape, dtype=np.int32)
    np.put_along_axis(ranks, by_predicted, by_true.astype(np.int32), 1)
    return ranks


@lower_is_better
def list_error_rate(y_true: Any, y_pred: Any) -> float:
    """Words to insert, delete or replace so that each list becomes the true one, per true word."""
    from rapidfuzz.distance import Levenshtein
    from rapidfuzz.process import cpdist

    true, predicted = split_words(y_true), split_words(y_pred)
    true_lists, predicted_lists = (
        _lists(words, numbers)
        for words, numbers in zip((true, predicted), number_words(true, predicted), strict=True)
    )
    edits = cpdist(true_lists, predicted_lists, scorer=Levenshtein.distance, dtype=np.int64)
    return float(edits.sum() / len(true.flat))


def _lists(words: Words, numbers: Any) -> list[list[int]]:
    cells, starts = numbers.tolist(), words.starts.tolist()
    return [cells[start:stop] for start, stop in pairwise(starts)]


def word_sets(words: Words, numbers: Any, size: int) -> Any:
    """A sparse yes/no matrix: which word stands in which row."""
    from scipy.sparse import csr_array

    sets = csr_array(
        (np.ones(len(numbers), dtype=bool), numbers, words.starts),
        shape=(len(words.starts) - 1, size),
    )
    sets.sum_duplicates()
    return sets


def _only(words: Words, numbers: Any, kept: Any) -> tuple[Words, Any]:
    """The rows without the words that are not kept."""
    before = np.concatenate([[0], np.cumsum(kept)])
    return Words(words.flat, before[words.starts]), numbers[kept]
