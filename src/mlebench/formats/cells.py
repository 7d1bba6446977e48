"""Cells that list groups of words, of which one may be a label and the others are numbers."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from mlebench.errors import InvalidSubmissionError
from mlebench.metrics.words import PlainWords, as_arrow, key_of_word

if TYPE_CHECKING:
    from numpy.typing import NDArray

Split = Callable[[str], list[str]]
"""The words of a cell."""

LABELS = ("label", "code")
BYTES_AT_ONCE = 1 << 22
"""Text that is read at a time: the arrays of its words have some ten times as many bytes."""


class Groups(NamedTuple):
    """The groups of all cells, in their order."""

    counts: NDArray[np.int64]
    """How many each cell has."""

    labels: NDArray[np.int64]
    """A number for each label, the same for equal ones; empty where groups have no label."""

    numbers: NDArray[np.float64]
    """A row per group with the numbers of its other words."""


at_white_space: Split = str.split


def at_blanks(cell: str) -> list[str]:
    """Words with exactly one blank between, so that two blanks enclose an empty word."""
    return cell.split(" ") if cell else []


def at_blanks_unless_all(cell: str) -> list[str]:
    """Like `at_blanks`, but a cell that consists of blanks has no words."""
    return at_blanks(cell.strip(" ") and cell)


def require_texts(column: Any, *, gaps: bool, expected: str) -> None:
    """A column that pandas reads as text; one without any value is a column of gaps."""
    from pandas.api.types import infer_dtype, is_numeric_dtype

    is_gap = column.isna().to_numpy()
    if is_gap.any() and not gaps:
        raise InvalidSubmissionError(
            f"column {column.name!r} has nothing in row {int(np.argmax(is_gap)) + 1},"
            f" expected {expected}"
        )
    is_other = is_numeric_dtype(column) or (
        column.dtype == object and infer_dtype(column, skipna=True) == "boolean"
    )
    if is_other and not is_gap.all():
        found = column.iloc[int(np.argmin(is_gap))]
        raise InvalidSubmissionError(
            f"column {column.name!r} holds only single numbers such as {found}, expected {expected}"
        )


def expected_groups(names: tuple[str, ...]) -> str:
    """For messages: what a cell should hold."""
    return f"groups of '{' '.join(names)}'"


def read_groups(texts: Any, names: tuple[str, ...], split: Split) -> Groups:
    """The groups in a column of texts, each of which has a word for every name."""
    import pyarrow.compute as pc

    if isinstance(getattr(texts, "dtype", None), np.dtype):
        # Whole numbers beyond 64 bits are numbers to pandas 3 only.
        texts = ["" if cell != cell or cell is None else str(cell) for cell in texts]
    cells = as_arrow(texts).fill_null("")
    ends = np.cumsum(pc.binary_length(cells))
    cuts = np.searchsorted(ends, np.arange(BYTES_AT_ONCE, ends.max(initial=0), BYTES_AT_ONCE))
    bounds = [0, *np.unique(cuts[cuts > 0]).tolist(), len(cells)]
    parts = [
        _read_block(cells.slice(first, last - first), first, names, split)
        for first, last in pairwise(bounds)
    ]
    return parts[0] if len(parts) == 1 else Groups(*map(np.concatenate, zip(*parts, strict=True)))


def _read_block(cells: Any, first: int, names: tuple[str, ...], split: Split) -> Groups:
    """The groups of some cells, of which the first has this row."""
    words: PlainWords | list[str] | None = PlainWords.of(cells)
    if isinstance(words, PlainWords) and (split is at_white_space or words.has_single_blanks()):
        counts = words.counts
    else:
        lists = [split(cell) for cell in cells.to_pylist()]
        counts, words = np.array([*map(len, lists)], np.int64), [*chain.from_iterable(lists)]
    _require_whole_groups(counts, first, names, split)
    width = len(names)
    places = [slice(place, None, width) for place in range(width)]
    label = [places.pop(place) for place, name in enumerate(names) if name in LABELS]
    if isinstance(words, list):
        keys = [np.array([*map(key_of_word, words[place])], np.int64) for place in label]
        columns = [np.array(_as_floats(words[place], names), float) for place in places]
    else:
        keys = [words.keys(place) for place in label]
        columns = [_read_numbers(words, place, names) for place in places]
    numbers = np.empty((counts.sum() // width, len(columns)))
    for place, column in enumerate(columns):
        numbers[:, place] = column
    labels = keys[0] if keys else np.empty(0, np.int64)
    return Groups(counts // width, labels, numbers)


def _require_whole_groups(
    counts: NDArray[np.int64], first: int, names: tuple[str, ...], split: Split
) -> None:
    cut = np.flatnonzero(counts % len(names))
    if len(cut):
        between = "" if split is at_white_space else " between single blanks"
        raise InvalidSubmissionError(
            f"the list in row {first + int(cut[0]) + 1} has {int(counts[cut[0]])} words{between},"
            f" expected {expected_groups(names)}"
        )


def _read_numbers(
    words: PlainWords, some: slice, names: tuple[str, ...]
) -> NDArray[np.float64] | NDArray[np.uint64]:
    """Floats as Python reads them, of which Arrow knows the usual spellings."""
    import pyarrow as pa

    whole = words.whole_numbers(some)
    if whole is not None:
        return whole
    texts = words.texts(some)
    try:
        numbers = np.array(texts.cast(pa.float64()))
    except pa.ArrowInvalid:
        return np.array(_as_floats(texts.to_pylist(), names))
    odd = np.flatnonzero(~np.isfinite(numbers))
    if len(odd):
        numbers[odd] = _as_floats(texts.take(odd).to_pylist(), names)
    return numbers


def _as_floats(words: list[str], names: tuple[str, ...]) -> list[float]:
    numbers = []
    for word in words:
        try:
            numbers.append(float(word))
        except ValueError:
            raise InvalidSubmissionError(
                f"found {word[:60]!r}, expected a number in {expected_groups(names)}"
            ) from None
    return numbers
