"""Short whole numbers among the words of a text, many at once.

The bytes are seen through windows of eight, and the digits in a window are joined in three steps,
two by two: some ten operations on all numbers instead of a call for each.
"""

from __future__ import annotations

from typing import Any

import numpy as np

ZERO = ord("0")
LANE = 8
UNUSED_BITS = np.array([8 * (LANE - n) for n in range(LANE + 1)], dtype=np.uint64)
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


def _join_lane(digits: Any, lengths: Any) -> Any:
    """The value of the first digits in each window, eight at most; the windows are overwritten."""
    unused = np.take(UNUSED_BITS, lengths)
    digits <<= unused
    for factor, shift, kept in PAIRINGS:
        digits &= kept
        digits *= factor
        digits >>= shift
    return digits.view(np.int64)
