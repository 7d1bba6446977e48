"""Metrics on lists of words, one list a row: sets of labels, ranked guesses, orders, sequences."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from mlebench.errors import InvalidSubmissionError
from mlebench.metrics.base import Metric, higher_is_better, lower_is_better
from mlebench.metrics.threads import on_blocks
from mlebench.metrics.words import (
    Words,
    alike_in_length,
    in_blocks,
    number_words,
    split_at_blanks,
    split_words,
)

BEYOND_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
LISTED_AT_ONCE = 1 << 16
LONGEST_QUICK_LIST = 1024
PLACE_BITS = np.uint64(LONGEST_QUICK_LIST - 1)
SPREADER = np.uint64(0x9E3779B97F4A7C15)
"""Spreads the bits of a key, so that it can lose some to the place."""
SURROGATES = range(0xD800, 0xE000)


@higher_is_better
def label_set_micro_f1(y_true: Any, y_pred: Any) -> float:
    """2·TP / (2·TP + FP + FN) over all (row, label) pairs; labels never true do not count."""
    import pandas as pd

    def compare(texts: tuple[Any, Any]) -> tuple[Any, Any, Any]:
        true, predicted = (split_words(side) for side in texts)
        sizes, surplus = compare_sets(true, predicted)
        return sizes.sum(axis=1), pd.unique(true.keys), surplus

    sums, labels, alarms = np.zeros(3, dtype=np.int64), [], []
    for sizes, names, surplus in on_blocks(compare, in_blocks(y_true, y_pred)):
        sums += sizes
        labels.append(names)
        alarms.append(surplus)
    false_alarms = int(pd.Index(_joined(alarms)).isin(_joined(labels)).sum())
    true_count, _, common = sums
    both = true_count + common + false_alarms
    return float(2 * common / both) if both else 0.0


def _joined(keys: list[Any]) -> Any:
    return np.concatenate([np.empty(0, dtype=np.uint64), *keys])


def compare_sets(true: Words, predicted: Words) -> tuple[Any, Any]:
    """For each row the different words in truth, prediction and both; and all surplus words.

    The first part has a column a row; the second has the keys of words that are predicted only.
    """
    true_count, predicted_count = true.counts, predicted.counts
    sizes = np.zeros((3, len(true_count)), dtype=np.int64)
    surplus = [np.empty(0, dtype=np.uint64)]
    for rows in alike_in_length(true_count, predicted_count):
        widths = [int(count[rows].max()) for count in (true_count, predicted_count)]
        sides = [
            np.sort(words.matrix(rows, width)) if width else np.empty((len(rows), 0), np.uint64)
            for words, width in zip((true, predicted), widths, strict=True)
        ]
        is_new = [_is_new_in_row(side) for side in sides]
        found = np.zeros(sides[1].shape, dtype=bool)
        for column in sides[0].T:
            found |= sides[1] == column[:, None]
        sizes[0, rows], sizes[1, rows] = (new.sum(axis=1) for new in is_new)
        sizes[2, rows] = (found & is_new[1]).sum(axis=1)
        surplus.append(sides[1][is_new[1] & ~found])
    return sizes, np.concatenate(surplus)


def _is_new_in_row(cells: Any) -> Any:
    """Which cells of sorted rows differ from the one before."""
    is_new = np.ones(cells.shape, dtype=bool)
    np.not_equal(cells[:, 1:], cells[:, :-1], out=is_new[:, 1:])
    return is_new


def mean_average_precision_at(k: int) -> Metric:
    """Mean over rows of the average precision of the first k guesses, split at single blanks.

    A guess that is right for the first time adds (right ones so far) / rank; the sum is divided by
    the number of true words, k at most. Repeats and empty guesses use up their rank.
    """

    def average_precision(y_true: Any, y_pred: Any) -> float:
        def of_block(texts: tuple[Any, Any]) -> Any:
            true, guesses = texts
            return _precision(split_at_blanks(true), split_at_blanks(guesses), k)

        precision = list(on_blocks(of_block, in_blocks(y_true, y_pred)))
        return float(np.concatenate(precision).mean())

    return Metric(f"mean_average_precision_at_{k}", False, average_precision)


def _precision(true: Words, guesses: Words, k: int) -> Any:
    """The average precision of each row."""
    guess_count = np.minimum(guesses.counts, k)
    precision = np.zeros(len(guess_count))
    for rows in alike_in_length(true.counts, guess_count):
        right = np.sort(true.matrix(rows, int(true.counts[rows].max())))
        # A row that has fewer guesses is filled with repeats, which are never right.
        cells = guesses.matrix(rows, int(guess_count[rows].max()))
        hits, gained = np.zeros(len(rows)), np.zeros(len(rows))
        for rank, guess in enumerate(cells.T, 1):
            is_repeat = (cells[:, : rank - 1] == guess[:, None]).any(axis=1)
            is_hit = (right == guess[:, None]).any(axis=1) & ~is_repeat
            hits += is_hit
            gained += is_hit * hits / rank
        precision[rows] = gained / np.minimum(_is_new_in_row(right).sum(axis=1), k)
    return precision


@higher_is_better
def kendall_tau(y_true: Any, y_pred: Any) -> float:
    """1 − 4·S / T: S pairs of a list in the opposite order, T the sum of n·(n − 1) over lists."""
    swapped = pairs = 0
    for swaps, lengths in on_blocks(_compare_orders, in_blocks(y_true, y_pred)):
        swapped += swaps
        pairs += int(np.sum(lengths * (lengths - 1)))
    return 1 - 4 * swapped / pairs


def _compare_orders(texts: tuple[Any, Any]) -> tuple[int, Any]:
    """Pairs in the opposite order, and the lengths of all lists."""
    true, predicted, others = _split_unlike(texts)
    _require_lengths(true.counts, predicted.counts)
    return _swapped_pairs(true, predicted), np.concatenate([true.counts, others.counts])


def _split_unlike(texts: tuple[Any, Any]) -> tuple[Words, Words, Words]:
    """The words of rows that differ, true and predicted, and of those that are alike."""
    import pyarrow.compute as pc

    differs = pc.not_equal(*texts)
    true, predicted = (split_words(side.filter(differs)) for side in texts)
    return true, predicted, split_words(texts[0].filter(pc.invert(differs)))


def _require_lengths(true: Any, predicted: Any) -> None:
    wrong = predicted != true
    if wrong.any():
        row = int(np.argmax(wrong))
        raise InvalidSubmissionError(
            f"{int(wrong.sum())} lists have another length than the true ones, for example"
            f" {int(predicted[row])} instead of {int(true[row])} words"
        )


def _swapped_pairs(true: Words, predicted: Words) -> int:
    """How many pairs of words stand in the opposite order."""
    counts, swapped = true.counts, 0
    for rows in alike_in_length(counts, cells=LISTED_AT_ONCE):
        behind = np.arange(counts[rows].max()) >= counts[rows, None]
        cells = [words.matrix(rows, behind.shape[1]) for words in (true, predicted)]
        for side in cells:
            side[behind] = BEYOND_ALL
        ranks = _ranks(*cells)
        # What fills a list up ranks behind all of it, and equal: it swaps with nothing.
        ranks = np.minimum(ranks, counts[rows, None])
        small = np.int8 if ranks.shape[1] < 128 else np.int16
        ranks = ranks.T.astype(small, order="C")
        for apart in range(1, len(ranks)):
            swapped += int(np.count_nonzero(ranks[:-apart] > ranks[apart:]))
    return swapped


def _ranks(true: Any, predicted: Any) -> Any:
    """The place in the true list of each predicted word."""
    ranks = _quick_ranks(true, predicted) if true.shape[1] <= LONGEST_QUICK_LIST else None
    if ranks is not None:
        return ranks
    by_true, by_predicted = np.argsort(true, axis=1), np.argsort(predicted, axis=1)
    same = np.take_along_axis(true, by_true, 1) == np.take_along_axis(predicted, by_predicted, 1)
    if not same.all():
        raise InvalidSubmissionError(
            f"{int(np.sum(~same.all(axis=1)))} predicted lists do not hold the words of the true"
            " list, each exactly once"
        )
    ranks = np.empty(true.shape, dtype=np.int64)
    np.put_along_axis(ranks, by_predicted, by_true, 1)
    return ranks


def _quick_ranks(true: Any, predicted: Any) -> Any:
    """The same where both sides hold the same words; sorts words and places as one number."""
    places = np.arange(true.shape[1], dtype=np.uint64)
    true, predicted = (
        np.sort((side * SPREADER & ~PLACE_BITS) | places) for side in (true, predicted)
    )
    if ((true ^ predicted) & ~PLACE_BITS).any():
        return None
    by_place = ((predicted & PLACE_BITS) * LONGEST_QUICK_LIST | (true & PLACE_BITS)).astype("u4")
    by_place.sort(axis=1)
    return by_place.astype(np.int64) % LONGEST_QUICK_LIST


@lower_is_better
def list_error_rate(y_true: Any, y_pred: Any) -> float:
    """Words to insert, delete or replace so that each list becomes the true one, per true word."""
    from rapidfuzz.distance import Levenshtein
    from rapidfuzz.process import cpdist

    edits = length = 0
    for texts in in_blocks(y_true, y_pred):
        true, predicted, others = _split_unlike(texts)
        numbers, guessed = number_words(true, predicted)
        # What never occurs in the truth matches nothing: one character will do for all of it.
        guessed = np.minimum(guessed, numbers.max(initial=-1) + 1)
        edits += cpdist(
            _as_characters(numbers, true.starts),
            _as_characters(guessed, predicted.starts),
            scorer=Levenshtein.distance,
            dtype=np.int64,
            workers=-1,
        ).sum()
        length += len(numbers) + len(others.length)
    return float(edits / length)


def _as_characters(numbers: Any, starts: Any) -> list[str]:
    """Each list of numbers as a text with a character a number."""
    character = numbers + 1
    character += (character >= SURROGATES.start) * len(SURROGATES)
    text = character.astype("<u4").tobytes().decode("utf-32-le")
    return [text[start:stop] for start, stop in pairwise(starts.tolist())]
