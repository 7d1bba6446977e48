"""Metrics on lists of words, one list a row: sets of labels, ranked guesses, orders, sequences."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mlebench.errors import InvalidSubmissionError
from mlebench.metrics.base import Metric, higher_is_better, lower_is_better
from mlebench.metrics.threads import on_blocks
from mlebench.metrics.words import COLUMN, Block, as_arrow, bytes_of, in_blocks, kernel_on_pairs
from mlebench.native import FLOATS, INTS, SIZE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mlebench.metrics.words import Texts

_true_labels = kernel_on_pairs("true_labels", INTS, INTS)
_compare_label_sets = kernel_on_pairs("compare_label_sets", SIZE, *COLUMN, INTS)
_average_precision = kernel_on_pairs("average_precision", SIZE, FLOATS)
_compare_orders = kernel_on_pairs("compare_orders", INTS)
_edits_of_lists = kernel_on_pairs("edits_of_lists", INTS)


@higher_is_better
def label_set_micro_f1(y_true: Texts, y_pred: Texts) -> float:
    """2·TP / (2·TP + FP + FN) over all (row, label) pairs; labels never true do not count."""
    true_count = common = false_alarms = 0
    labels: set[bytes] = set()
    for (in_all, in_rows_alike), names in on_blocks(_labels, in_blocks(y_true, y_pred)):
        true_count += in_all
        common += in_rows_alike
        labels |= names
    column = bytes_of(as_arrow([name.decode() for name in labels]))

    def compare(block: Block) -> list[int]:
        counts = np.zeros(2, np.int64)
        _compare_label_sets(block, len(labels), *column, counts)
        found: list[int] = counts.tolist()
        return found

    for in_other_rows, surplus in on_blocks(compare, in_blocks(y_true, y_pred)):
        common += in_other_rows
        false_alarms += surplus
    both = true_count + common + false_alarms
    return float(2 * common / both) if both else 0.0


def _labels(block: Block) -> tuple[list[int], set[bytes]]:
    """How many labels the rows have, in all and where the prediction is alike; and the labels."""
    rows, data, ends, *_ = block
    counts = np.zeros(2, np.int64)
    places = np.empty((int(ends[-1] - ends[0]) // 2 + rows, 2), np.int64)
    found = _true_labels(block, counts, places)
    view = memoryview(data)
    names = {bytes(view[at : at + size]) for at, size in places[:found].tolist()}
    return counts.tolist(), names


def mean_average_precision_at(k: int) -> Metric:
    """Mean over rows of the average precision of the first k guesses, split at single blanks.

    A guess that is right for the first time adds (right ones so far) / rank; the sum is divided by
    the number of true words, k at most. Repeats and empty guesses use up their rank.
    """

    def of_block(block: Block) -> NDArray[np.float64]:
        precision = np.empty(block[0])
        _average_precision(block, k, precision)
        return precision

    def average_precision(y_true: Texts, y_pred: Texts) -> float:
        precision = list(on_blocks(of_block, in_blocks(y_true, y_pred)))
        return float(np.concatenate(precision).mean())

    return Metric(f"mean_average_precision_at_{k}", False, average_precision)


@higher_is_better
def kendall_tau(y_true: Texts, y_pred: Texts) -> float:
    """1 − 4·S / T: S pairs of a list in the opposite order, T the sum of n·(n − 1) over lists."""
    found = np.array(list(on_blocks(_orders, in_blocks(y_true, y_pred))))
    swapped, pairs, other_length, other_words = found[:, :4].sum(axis=0).tolist()
    if other_length:
        true_length, length = found[np.argmax(found[:, 2] > 0), 4:].tolist()
        raise InvalidSubmissionError(
            f"{other_length} lists have another length than the true ones, for example"
            f" {length} instead of {true_length} words"
        )
    if other_words:
        raise InvalidSubmissionError(
            f"{other_words} predicted lists do not hold the words of the true list, each exactly"
            " once"
        )
    return float(1 - 4 * swapped / pairs)


def _orders(block: Block) -> NDArray[np.int64]:
    """Swapped pairs, twice all pairs, lists of other length and of other words, an example."""
    found = np.zeros(6, np.int64)
    _compare_orders(block, found)
    return found


@lower_is_better
def list_error_rate(y_true: Texts, y_pred: Texts) -> float:
    """Words to insert, delete or replace so that each list becomes the true one, per true word."""
    edits, length = np.sum(list(on_blocks(_list_edits, in_blocks(y_true, y_pred))), axis=0)
    return float(edits / length)


def _list_edits(block: Block) -> tuple[int, int]:
    """The edits, and the number of true words."""
    length = np.zeros(1, np.int64)
    edits = _edits_of_lists(block, length)
    return edits, int(length[0])
