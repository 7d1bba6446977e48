"""Decimal strings as pandas 2 parsed them by default: fast, but sometimes off in the last digit.

Some published preparations depend on that parser, which pandas 3 no longer has. It keeps the
first 17 digits (leading zeros count), sums them in floating point and scales by a power of ten.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

DECIMAL = (
    r"^\s*(?P<sign>[+-]?)(?P<whole>[0-9]*)\.?(?P<fraction>[0-9]*)"
    r"(?:[eE](?P<exponent>[+-]?[0-9]{1,17}))?\s*$"
)
MAX_DIGITS = 17
EXACT_DIGITS = 15
"""The number of digits that fit a float without rounding."""

MAX_EXPONENT = 308
POWERS = np.array([float(f"1e{k}") for k in range(MAX_EXPONENT + 1)])


def reparse(texts: pd.Series[str], exact: pd.Series[float]) -> NDArray[np.float64] | None:
    """The floats that pandas 2 made of a column of texts, given those an exact parser makes.

    Nothing when a number is out of range: then pandas 2 left the column as text.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    column = pa.array(texts, pa.string(), from_pandas=True)
    # Both parsers are exact for short plain decimals, which nearly all strings are.
    is_long = pc.greater(pc.binary_length(column), EXACT_DIGITS + 1)
    is_risky = pc.or_(is_long, pc.match_substring(column, "e", ignore_case=True)).fill_null(False)
    rows = np.flatnonzero(is_risky)
    result = np.array(exact, dtype=float)
    if not len(rows):
        return result
    numbers, is_decimal = _parse(column.take(rows))
    if np.isinf(numbers[is_decimal]).any():
        return None
    result[rows[is_decimal]] = numbers[is_decimal]
    return result


def _parse(column: Any) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """The numbers, and which strings are decimals (`inf` and empty cells are not)."""
    import pyarrow.compute as pc

    parts = pc.extract_regex(column, DECIMAL)
    is_decimal = np.asarray(parts.is_valid())
    sign, whole, fraction, exponent = (
        pc.struct_field(parts, name).fill_null("")
        for name in ("sign", "whole", "fraction", "exponent")
    )
    digits = pc.binary_join_element_wise(whole, fraction, "")
    n_whole, n_fraction = _lengths(whole), _lengths(fraction)
    used_whole = np.minimum(n_whole, MAX_DIGITS)
    used_fraction = np.minimum(n_fraction, MAX_DIGITS - used_whole)
    mantissa = _sum_of_digits(digits)
    mantissa[np.asarray(pc.equal(sign, "-"))] *= -1
    shift = n_whole - used_whole - used_fraction + _integers(exponent)
    return _scaled(mantissa, shift), is_decimal


def _sum_of_digits(digits: Any) -> NDArray[np.float64]:
    """The leading digits as a float; the two that no longer fit are added one by one, rounded."""
    import pyarrow.compute as pc

    number = _integers(pc.utf8_slice_codeunits(digits, 0, EXACT_DIGITS)).astype(float)
    for position in range(EXACT_DIGITS, MAX_DIGITS):
        digit = pc.utf8_slice_codeunits(digits, position, position + 1)
        number = np.where(_lengths(digit) > 0, number * 10.0 + _integers(digit), number)
    return number


def _scaled(mantissa: NDArray[np.float64], shift: NDArray[np.int64]) -> NDArray[np.float64]:
    """Multiplied by a power of ten, in two steps for subnormals; infinite beyond the range."""
    with np.errstate(over="ignore", under="ignore"):
        result: NDArray[np.float64] = np.where(
            shift > 0,
            mantissa * POWERS[np.clip(shift, 0, MAX_EXPONENT)],
            mantissa / POWERS[np.clip(-shift, 0, MAX_EXPONENT)],
        )
        tiny = shift < -MAX_EXPONENT
        below = np.clip(-MAX_EXPONENT - shift[tiny], 0, MAX_EXPONENT)
        result[tiny] = mantissa[tiny] / POWERS[below] / POWERS[MAX_EXPONENT]
    result[shift < -2 * MAX_EXPONENT] = 0.0
    result[shift > MAX_EXPONENT] = np.inf
    return result


def _lengths(texts: Any) -> NDArray[np.int64]:
    import pyarrow.compute as pc

    return np.asarray(pc.binary_length(texts))


def _integers(texts: Any) -> NDArray[np.int64]:
    """Integers; the empty string is zero."""
    import pyarrow as pa
    import pyarrow.compute as pc

    unsigned = pc.utf8_ltrim(texts, "+")
    filled = pc.if_else(pc.equal(pc.binary_length(unsigned), 0), "0", unsigned)
    return np.asarray(filled.cast(pa.int64()))
