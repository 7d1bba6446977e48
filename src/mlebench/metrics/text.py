"""Metrics on texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mlebench.errors import InvalidSubmissionError
from mlebench.metrics.base import higher_is_better, lower_is_better
from mlebench.metrics.threads import on_blocks
from mlebench.metrics.words import COLUMN, Block, as_arrow, bytes_of, in_blocks, kernel_on_pairs
from mlebench.native import BYTES, FLOATS, SIZE, kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mlebench.metrics.words import Texts

_equal_rows = kernel("equal_rows", SIZE, *COLUMN, *COLUMN)
_edits_of_texts = kernel_on_pairs("edits_of_texts")
_shares_of_words = kernel_on_pairs("shares_of_words", SIZE, FLOATS, BYTES)


@higher_is_better
def text_accuracy(y_true: Texts, y_pred: Texts) -> float:
    """Share of exactly equal texts."""
    equal = on_blocks(lambda block: int(_equal_rows(*block)), in_blocks(y_true, y_pred))
    return sum(equal) / len(y_true)


@lower_is_better
def mean_levenshtein_distance(y_true: Texts, y_pred: Texts) -> float:
    """Mean over rows of the characters to insert, delete or replace."""
    return sum(on_blocks(_edits_of_texts, in_blocks(y_true, y_pred))) / len(y_true)


@higher_is_better
def word_jaccard(y_true: Texts, y_pred: Texts) -> float:
    """Mean over rows of common words / all words, lower-cased, each word counted once."""
    shares, empty = _shares_of_common_words(y_true, y_pred)
    if empty:
        raise InvalidSubmissionError("a predicted text and its answer both hold no word")
    return float(np.mean(shares))


@higher_is_better
def lenient_word_jaccard(y_true: Texts, y_pred: Texts) -> float:
    """The same, but a row without any word on either side counts 0."""
    shares, _ = _shares_of_common_words(y_true, y_pred)
    return float(np.mean(shares))


def _shares_of_common_words(y_true: Texts, y_pred: Texts) -> tuple[NDArray[np.float64], int]:
    """For each row the share; and how many rows have no word."""
    parts = list(on_blocks(_shares_in_block, in_blocks(y_true, y_pred)))
    return np.concatenate([shares for shares, _ in parts]), sum(empty for _, empty in parts)


def _shares_in_block(block: Block) -> tuple[NDArray[np.float64], int]:
    shares, is_hard = np.zeros(block[0]), np.zeros(block[0], np.uint8)
    empty = _shares_of_words(block, False, shares, is_hard)
    hard = np.flatnonzero(is_hard)
    if len(hard):
        # Few letters have a lower case that Python alone knows.
        _, data, ends, other_data, other_ends = block
        again = len(hard), *_lowered(data, ends, hard), *_lowered(other_data, other_ends, hard)
        found = np.zeros(len(hard))
        empty += _shares_of_words(again, True, found, is_hard)
        shares[hard] = found
    return shares, empty


def _lowered(
    data: NDArray[np.uint8], ends: NDArray[np.int64], rows: NDArray[np.int64]
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Some of the texts of a column in lower case, as Python has it."""
    places = zip(ends[rows].tolist(), ends[rows + 1].tolist(), strict=True)
    texts = [data[start:stop].tobytes().decode().lower() for start, stop in places]
    return bytes_of(as_arrow(texts))
