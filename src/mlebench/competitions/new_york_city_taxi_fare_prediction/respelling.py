"""Columns of decimals as Python prints their floats, most of them without reading a number.

A decimal of at most 15 digits without needless zeros is the shortest text of its float, and that
can be told from the places of signs and points. Only the others are read as numbers and printed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

MINUS, POINT, ZERO = b"-.0"
EXACT_DIGITS = 15
"""No two decimals with this many digits are the same float."""


def respell(column: Any, print_floats: Callable[[Any], Any]) -> Any:
    """Texts of decimals and gaps as pandas prints them; nothing if there is any other text."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if column.offset or not len(column) or column.buffers()[2] is None:
        return None
    found = _judge(column)
    if found is None:
        return None
    is_right, is_whole = found
    if is_right.all():
        return column
    wholes, odd = np.flatnonzero(is_whole), np.flatnonzero(~(is_right | is_whole))
    pieces, source = [column], np.arange(len(column))
    if len(wholes):
        source[wholes] = len(column) + np.arange(len(wholes))
        pieces.append(pc.binary_join_element_wise(column.take(pa.array(wholes)), "0", "."))
    if len(odd):
        source[odd] = len(column) + len(wholes) + np.arange(len(odd))
        try:
            numbers = pc.cast(column.take(pa.array(odd)), pa.float64())
        except pa.ArrowInvalid:
            return None
        pieces.append(print_floats(numbers))
    return pa.concat_arrays(pieces).take(pa.array(source))


def _judge(column: Any) -> tuple[NDArray[np.bool_], NDArray[np.bool_]] | None:
    """Which texts are printed as they are, and which whole numbers only lack their `.0`."""
    import pyarrow.compute as pc

    offsets = np.frombuffer(column.buffers()[1], np.int32)[: len(column) + 1]
    data = np.frombuffer(column.buffers()[2], np.uint8)
    start, end = offsets[:-1], offsets[1:]
    # A gap at the very end starts behind the last byte.
    letters = np.append(data[: end[-1]], np.uint8(ZERO))
    is_gap = start == end
    is_negative = (letters[start] == MINUS) & ~is_gap
    place = pc.find_substring(column, ".").to_numpy()
    has_point = place >= 0
    if not _has_only_digits_else(letters, minuses=is_negative.sum(), points=has_point.sum()):
        return None
    lead = start + is_negative
    point = np.where(has_point, start + place, end)
    whole, fraction = point - lead, end - point - has_point
    is_exact = (whole > 0) & (whole + fraction <= EXACT_DIGITS)
    starts_with_zero = letters[lead] == ZERO
    is_exact &= ~starts_with_zero | (whole == 1)
    # A zero at the end is not printed, and after `0.` one may lead to an exponent.
    after_point = letters[np.minimum(point + 1, len(letters) - 1)]
    is_shortest = (letters[end - 1] != ZERO) & ~(starts_with_zero & (after_point == ZERO))
    is_decimal = is_exact & ((fraction == 1) | ((fraction > 1) & is_shortest))
    return is_decimal | is_gap, is_exact & ~has_point & ~is_gap


def _has_only_digits_else(letters: NDArray[np.uint8], *, minuses: int, points: int) -> bool:
    """Whether the text consists of digits and exactly these numbers of signs and points."""
    others = int(np.count_nonzero(letters - np.uint8(ZERO) > 9))
    return bool(
        np.count_nonzero(letters == MINUS) == minuses
        and np.count_nonzero(letters == POINT) == points
        and others == minuses + points
    )
