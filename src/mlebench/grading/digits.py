"""Positive integers in a text of digits and blanks, many at once.

The bytes are seen through windows of eight, and the digits in a window are joined in three steps,
two by two: some ten operations on all numbers instead of a call for each.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

BLOCK = 1 << 17
"""Bytes taken at a time, so that all about them stays in the processor's cache."""

MAX_DIGITS = 18
ZERO, BLANK = ord("0"), ord(" ")
LANE = 8
UNUSED_BITS = np.array([8 * max(LANE - n, 0) for n in range(MAX_DIGITS + 1)], dtype=np.uint64)
PAIRINGS = tuple(
    (np.uint64(10**digits * 2**bits + 1), np.uint64(bits), np.uint64(kept))
    for digits, bits, kept in (
        (1, 8, 0x00FF00FF00FF00FF),
        (2, 16, 0x0000FFFF0000FFFF),
        (4, 32, 0x00000000FFFFFFFF),
    )
)
"""How neighbours of 1, 2 and 4 digits become one number each: factor, shift, bits kept."""


@dataclass(frozen=True)
class Numbers:
    """The numbers of a text."""

    values: Any
    places: Any
    """Where the last digit of each stands."""

    wrong: int | None = None
    """A place that belongs to no number of up to 18 digits, where there is one."""


def find_numbers(data: Any) -> Numbers:
    """All numbers of a text that ends with a blank; anything up to the blank in ASCII is one."""
    found, start = [], 0
    while start < len(data):
        stop = _end_of_word(data, min(start + BLOCK, len(data)))
        numbers = _in_block(data[start:stop], start)
        if numbers.wrong is not None:
            return numbers
        found.append(numbers)
        start = stop
    if len(found) == 1:
        return found[0]
    nothing = np.empty(0, dtype=np.int64)
    values, places = (
        np.concatenate([nothing, *(getattr(numbers, name) for numbers in found)])
        for name in ("values", "places")
    )
    return Numbers(values, places)


def _in_block(data: Any, offset: int) -> Numbers:
    block = np.full(len(data) + LANE + 1, BLANK, dtype=np.uint8)
    block[LANE:-1] = data
    is_digit = block - ZERO < 10
    is_wrong = is_digit != (block > BLANK)
    offset -= LANE
    if is_wrong.any():
        return Numbers(None, None, offset + int(np.argmax(is_wrong)))
    bounds = np.flatnonzero(is_digit[1:] != is_digit[:-1])
    last, lengths = bounds[1::2], bounds[1::2] - bounds[0::2]
    longest = int(lengths.max(initial=0))
    if longest > MAX_DIGITS:
        return Numbers(None, None, offset + int(last[np.argmax(lengths)]))
    windows = np.ndarray((len(block) - LANE + 1,), "<u8", buffer=block, strides=(1,))
    values = _join_digits(windows[last - (LANE - 1)], lengths)
    for more in range(LANE, longest, LANE):
        long = np.flatnonzero(lengths > more)
        part = _join_digits(windows[last[long] - (LANE - 1) - more], lengths[long] - more)
        values[long] += part * 10**more
    return Numbers(values, last + offset)


def _end_of_word(data: Any, stop: int) -> int:
    """Move on to the next blank, unless the word is too long for a number anyway."""
    for place in range(stop - 1, min(stop + MAX_DIGITS, len(data))):
        if data[place] <= BLANK:
            return place + 1
    return min(stop + MAX_DIGITS, len(data))


def _join_digits(windows: Any, lengths: Any) -> Any:
    """The value of the last digits in each window."""
    unused = UNUSED_BITS[lengths]
    digits = windows & np.uint64(0x0F0F0F0F0F0F0F0F)
    digits >>= unused
    digits <<= unused
    for factor, shift, kept in PAIRINGS:
        digits *= factor
        digits >>= shift
        digits &= kept
    return digits.view(np.int64)
