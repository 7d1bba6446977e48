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
POWERS = 10 ** np.arange(LANE + 1)
BITS = np.uint64(64)
NO_DIGITS, SIXES, UPPER_HALVES = (np.uint64(byte * 0x0101010101010101) for byte in (ZERO, 6, 0xF0))
PAIRINGS = tuple(
    (np.uint64(10**digits * 2**bits + 1), np.uint64(bits), np.uint64(kept))
    for digits, bits, kept in (
        (1, 8, 0x0F0F0F0F0F0F0F0F),
        (2, 16, 0x00FF00FF00FF00FF),
        (4, 32, 0x0000FFFF0000FFFF),
    )
)
"""How neighbours of 1, 2 and 4 digits become one number each: factor, shift, bits kept before."""


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
    block = np.full(len(data) + LANE, BLANK, dtype=np.uint8)
    block[: len(data)] = data
    is_digit = block - ZERO < 10
    is_wrong = is_digit != (block > BLANK)
    if is_wrong.any():
        return Numbers(None, None, offset + int(np.argmax(is_wrong)))
    last = np.flatnonzero(is_digit[:-1] > is_digit[1:])
    first = _first_digits(is_digit, last)
    lengths = last - first
    lengths += 1
    longest = int(lengths.max(initial=0))
    if longest > MAX_DIGITS:
        return Numbers(None, None, offset + int(last[np.argmax(lengths)]))
    values = join_digits(windows(block), first, lengths)
    last += offset
    return Numbers(values, last)


def _first_digits(is_digit: Any, last: Any) -> Any:
    """Where each number begins: mostly behind the one separator behind the last number."""
    if (
        len(last)
        and is_digit[0]
        and np.count_nonzero(is_digit[: last[-1]]) + len(last) == last[-1] + 1
    ):
        first = np.zeros_like(last)
        np.add(last[:-1], 2, out=first[1:])
        return first
    first = np.flatnonzero(is_digit[1:] > is_digit[:-1]) + 1
    return np.insert(first, 0, 0) if is_digit[0] else first


def short_numbers(data: Any, first: Any, lengths: Any) -> Any:
    """The values of words if all are whole numbers of up to eight digits, else nothing."""
    if not len(first) or lengths.min() < 1 or lengths.max() > LANE:
        return None
    block = np.zeros(len(data) + LANE, dtype=np.uint8)
    block[: len(data)] = data
    lanes = np.take(windows(block), first)
    # Letters below 0 and above 9 show in the upper half of their byte, here or with 6 added.
    unused = np.take(UNUSED_BITS, lengths)
    lanes <<= unused
    zeros = NO_DIGITS >> (BITS - unused)
    zeros[unused == 0] = 0
    lanes |= zeros
    for letters in (lanes, lanes + SIXES):
        letters = letters & UPPER_HALVES
        if (letters != NO_DIGITS).any():
            return None
    return _join_lane(lanes, np.full(len(lanes), LANE))


def windows(block: Any) -> Any:
    """The eight bytes from each place on, as one number each."""
    return np.ndarray((len(block) - LANE + 1,), "<u8", buffer=block, strides=(1,))


def join_digits(lanes: Any, first: Any, lengths: Any) -> Any:
    """The values of the numbers that begin at these places of a text seen through windows."""
    values = _join_lane(np.take(lanes, first), lengths)
    longest = int(lengths.max(initial=0))
    for done in range(LANE, longest, LANE):
        long = np.flatnonzero(lengths > done)
        more = np.minimum(lengths[long] - done, LANE)
        values[long] *= POWERS[more]
        values[long] += _join_lane(np.take(lanes, first[long] + done), more)
    return values


def _end_of_word(data: Any, stop: int) -> int:
    """Move on to the next blank, unless the word is too long for a number anyway."""
    for place in range(stop - 1, min(stop + MAX_DIGITS, len(data))):
        if data[place] <= BLANK:
            return place + 1
    return min(stop + MAX_DIGITS, len(data))


def _join_lane(digits: Any, lengths: Any) -> Any:
    """The value of the first digits in each window, eight at most; the windows are overwritten."""
    unused = np.take(UNUSED_BITS, lengths)
    digits <<= unused
    for factor, shift, kept in PAIRINGS:
        digits &= kept
        digits *= factor
        digits >>= shift
    return digits.view(np.int64)
