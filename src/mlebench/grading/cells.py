"""Cells that hold lists of words or numbers: whole columns at once, without Python strings."""

from __future__ import annotations

from typing import Any

import numpy as np

from mlebench.errors import InvalidSubmissionError


def require_texts(column: Any, *, gaps: bool, expected: str) -> None:
    """A column that pandas reads as text; one without any value is a column of gaps."""
    from pandas.api.types import is_numeric_dtype

    is_gap = column.isna().to_numpy()
    if is_gap.any() and not gaps:
        raise InvalidSubmissionError(
            f"column {column.name!r} has nothing in row {int(np.argmax(is_gap)) + 1},"
            f" expected {expected}"
        )
    if is_numeric_dtype(column) and not is_gap.all():
        found = column.iloc[int(np.argmin(is_gap))]
        raise InvalidSubmissionError(
            f"column {column.name!r} holds only single numbers such as {found}, expected {expected}"
        )


def parse_numbers(words: Any, expected: str) -> Any:
    """Words as floats, spelled as Python spells them."""
    import pyarrow as pa

    try:
        return words.cast(pa.float64()).to_numpy()
    except pa.ArrowInvalid:
        # Arrow takes fewer spellings than Python and does not say which word is wrong.
        return np.array([_number(word, expected) for word in words.to_pylist()])


def _number(word: str, expected: str) -> float:
    try:
        return float(word)
    except ValueError:
        raise InvalidSubmissionError(f"found {word[:60]!r}, expected {expected}") from None
