"""Whole numbers in columns of texts, read eight digits at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints: TypeAlias = NDArray[np.int64]
    Windows: TypeAlias = NDArray[np.uint64]

WINDOW = 8
WORD_BYTES = np.array([(1 << 64) - (1 << 8 * (WINDOW - k)) for k in range(9)], np.uint64)
"""By the number of bytes of a word: which bytes of the window that it ends belong to it."""

JOINS = (
    (1 + (10 << 8), 8, 0x00FF00FF00FF00FF),
    (1 + (100 << 16), 16, 0x0000FFFF0000FFFF),
    (1 + (10_000 << 32), 32, 0x00000000FFFFFFFF),
)
"""How eight digits become a number: neighbours are multiplied and added, three times."""

ZERO = ord("0")
BLANK = ZERO ^ ord(" ")
"""What the exclusive or with the character 0 makes of a blank; of a digit it makes its value."""

BYTES_AT_ONCE = 1 << 17
"""The arrays for the words of this much text stay in the processor's cache."""


def windows_before(text: NDArray[np.uint8]) -> Windows:
    """For each position after the first eight bytes, the preceding eight as one number."""
    return np.ndarray(len(text) - WINDOW + 1, "<u8", text, strides=(1,))


def join_digits(windows: Windows) -> Windows:
    """The numbers whose digits, as values from 0 to 9, are the bytes of windows; works in place."""
    for factor, distance, mask in JOINS:
        windows *= np.uint64(factor)
        windows >>= np.uint64(distance)
        windows &= np.uint64(mask)
    return windows


def joined_texts(column: Any) -> tuple[NDArray[np.uint8], Ints]:
    """The bytes of an Arrow array of texts with a blank after each non-empty text, and the bounds.

    Text k is between the bounds k and k + 1.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    nothing, blank = (pa.scalar(text, pa.large_string()) for text in ("", " "))
    is_empty = pc.equal(column, nothing)
    behind = pc.if_else(is_empty, nothing, blank) if pc.any(is_empty).as_py() else blank
    _, offsets, data = pc.binary_join_element_wise(column, nothing, behind).buffers()
    return np.frombuffer(data or b"", np.uint8), np.frombuffer(offsets, np.int64)[: len(column) + 1]


def read_whole_numbers(column: Any) -> tuple[Ints, Ints] | None:
    """All numbers in an Arrow array of texts, and how many each text has.

    None unless all texts consist of blanks and words of up to 16 digits.
    """
    text, bounds = joined_texts(column)
    padded = np.full(2 * WINDOW + len(text), BLANK, np.uint8)
    values = np.bitwise_xor(text, ZERO, out=padded[2 * WINDOW :])
    windows = windows_before(padded)
    # The words before each place where a text begins.
    before = np.zeros(len(bounds), np.int64)
    parts, last, count = [np.empty(0, np.uint64)], -1, 0
    for first in range(0, len(text), BYTES_AT_ONCE):
        block = values[first : first + BYTES_AT_ONCE]
        ends = np.flatnonzero(block == BLANK)
        if np.count_nonzero(block < 10) + len(ends) < len(block):
            return None
        # In place: what new arrays cost exceeds the arithmetic.
        lengths = ends - 1
        lengths[1:] -= ends[:-1]
        lengths[:1] -= last
        last = (int(ends[-1]) if len(ends) else last) - len(block)
        if not lengths.min(initial=1):
            ends, lengths = ends[lengths > 0], lengths[lengths > 0]
        here = slice(*np.searchsorted(bounds, [first + 1, first + len(block) + 1]))
        before[here] = count + np.searchsorted(ends, bounds[here] - first)
        count += len(ends)
        numbers = _numbers(windows[first : first + WINDOW + len(block)], ends, lengths)
        if numbers is None:
            return None
        parts.append(numbers)
    return np.concatenate(parts).view(np.int64), np.diff(before)


def _numbers(windows: Windows, ends: Ints, lengths: Ints) -> Windows | None:
    """The numbers that end at some places, counted from the end of the second window."""
    longest = lengths.max(initial=0)
    if longest > 2 * WINDOW:
        return None
    # `take` copies the overlapping windows first: reading unaligned numbers one by one is slower.
    numbers = windows[WINDOW:].take(ends)
    numbers &= WORD_BYTES.take(lengths, mode="clip")
    join_digits(numbers)
    if longest > WINDOW:
        high = windows.take(ends)
        high &= WORD_BYTES.take(lengths - WINDOW, mode="clip")
        numbers += join_digits(high) * np.uint64(10**WINDOW)
    return numbers
