"""Cells that list groups of words, of which one may be a label and the others are numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from mlebench.errors import InvalidSubmissionError
from mlebench.metrics.words import as_arrow

if TYPE_CHECKING:
    from numpy.typing import NDArray

Split = Callable[[Any], Any]
"""Makes of an Arrow array of texts one of lists of words; a text without letters has one word."""

LABELS = ("label", "code")


class Groups(NamedTuple):
    """The groups of all cells, in their order."""

    counts: NDArray[np.int64]
    """How many each cell has."""

    labels: NDArray[np.int64]
    """A number for each label, the same for equal ones; empty where groups have no label."""

    numbers: NDArray[np.float64]
    """A row per group with the numbers of its other words."""


def at_white_space(cells: Any) -> Any:
    """Words with any white space between, as `str.split()` finds them."""
    import pyarrow.compute as pc

    return pc.utf8_split_whitespace(pc.utf8_trim_whitespace(cells))


def at_blanks(cells: Any) -> Any:
    """Words with exactly one blank between, so that two blanks enclose an empty word."""
    import pyarrow.compute as pc

    return pc.split_pattern(cells, " ")


def at_blanks_unless_all(cells: Any) -> Any:
    """The same, but a cell of blanks alone has no words."""
    import pyarrow.compute as pc

    return at_blanks(pc.if_else(pc.equal(pc.utf8_trim(cells, " "), ""), "", cells))


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

    lists = split(_without_gaps(texts))
    counts, words = np.asarray(pc.list_value_length(lists), dtype=np.int64), lists.flatten()
    # An empty cell is an empty word to Arrow.
    is_empty = np.asarray(pc.equal(pc.binary_length(words), 0))
    firsts = np.cumsum(counts) - counts
    is_empty_cell = (counts == 1) & is_empty[np.minimum(firsts, len(words) - 1)]
    if is_empty_cell.any():
        words = words.take(np.delete(np.arange(len(words)), firsts[is_empty_cell]))
        counts[is_empty_cell] = 0
    _require_whole_groups(counts, names, split)
    return _read_words(counts // len(names), words, names)


def _without_gaps(texts: Any) -> Any:
    """An Arrow array; whole numbers beyond 64 bits are numbers to pandas 3 only."""
    if isinstance(getattr(texts, "dtype", None), np.dtype):
        texts = ["" if cell != cell or cell is None else str(cell) for cell in texts]
    return as_arrow(texts).fill_null("")


def _require_whole_groups(counts: NDArray[np.int64], names: tuple[str, ...], split: Split) -> None:
    cut = np.flatnonzero(counts % len(names))
    if len(cut):
        between = "" if split is at_white_space else " between single blanks"
        raise InvalidSubmissionError(
            f"the list in row {int(cut[0]) + 1} has {int(counts[cut[0]])} words{between},"
            f" expected {expected_groups(names)}"
        )


def _read_words(counts: NDArray[np.int64], words: Any, names: tuple[str, ...]) -> Groups:
    label = next((place for place, name in enumerate(names) if name in LABELS), None)
    columns = [words.take(np.arange(k, len(words), len(names))) for k in range(len(names))]
    labels = np.empty(0, np.int64)
    if label is not None:
        found = columns.pop(label).dictionary_encode()
        # Hashes collide only by chance: nobody can force it without Python's hash secret.
        hashes = np.array([*map(hash, found.dictionary.to_pylist())], np.int64)
        labels = hashes[np.asarray(found.indices)]
    numbers = np.empty((len(words) // len(names), len(columns)))
    for place, column in enumerate(columns):
        numbers[:, place] = _read_numbers(column, names)
    return Groups(counts, labels, numbers)


def _read_numbers(words: Any, names: tuple[str, ...]) -> NDArray[np.float64]:
    """Floats as Python reads them, of which Arrow knows the usual spellings."""
    import pyarrow as pa

    try:
        numbers = np.array(words.cast(pa.float64()))
        odd = np.flatnonzero(~np.isfinite(numbers))
    except pa.ArrowInvalid:
        numbers, odd = np.empty(len(words)), np.arange(len(words))
    for row, word in zip(odd.tolist(), words.take(odd).to_pylist(), strict=True):
        try:
            numbers[row] = float(word)
        except ValueError:
            raise InvalidSubmissionError(
                f"found {word[:60]!r}, expected a number in {expected_groups(names)}"
            ) from None
    return numbers
