"""Cells that list groups of words, of which one may be a label and the others are numbers."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from mlebench.errors import InvalidSubmissionError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Split = Callable[[str], list[str]]
    """The words of a cell; `str.split` is one."""

LABELS = ("label", "code")
CELLS_AT_ONCE = 256


class Groups(NamedTuple):
    """The groups of all cells, in their order."""

    counts: NDArray[np.int64]
    """How many each cell has."""

    labels: NDArray[np.int64]
    """A number for each label, the same for equal ones; empty where groups have no label."""

    numbers: NDArray[np.float64]
    """A row per group with the numbers of its other words."""


def at_blanks(cell: str) -> list[str]:
    """Words with exactly one blank between, so that two blanks enclose an empty word."""
    return cell.split(" ") if cell else []


def at_blanks_unless_all(cell: str) -> list[str]:
    """The same, but a cell of blanks alone has no words."""
    return cell.split(" ") if cell.strip(" ") else []


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
    cells = [cell if isinstance(cell, str) else _text_of(cell) for cell in texts]
    counts = np.zeros(len(cells), np.int64)
    parts = []
    # Only some words are held at a time: they take many times the memory of their numbers.
    for first in range(0, len(cells), CELLS_AT_ONCE):
        lists = [split(cell) for cell in cells[first : first + CELLS_AT_ONCE]]
        for row, words in enumerate(lists, first):
            counts[row], surplus = divmod(len(words), len(names))
            if surplus:
                raise _cut_list(row, len(words), names, split)
        parts.append(_read_words([*chain.from_iterable(lists)], names))
    labels, numbers = zip(*parts or [_read_words([], names)], strict=True)
    return Groups(counts, np.concatenate(labels), np.concatenate(numbers))


def _text_of(cell: Any) -> str:
    """Nothing for a gap; whole numbers beyond 64 bits are numbers to pandas 3 only."""
    return str(cell) if cell == cell and cell is not None else ""


def _read_words(
    words: list[str], names: tuple[str, ...]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The labels and the numbers of whole groups."""
    label = next((place for place, name in enumerate(names) if name in LABELS), None)
    columns = [place for place in range(len(names)) if place != label]
    numbers = np.empty((len(words) // len(names), len(columns)))
    try:
        for column, place in enumerate(columns):
            numbers[:, column] = [*map(float, words[place :: len(names)])]
    except ValueError:
        raise _no_number(words, names, columns) from None
    # Python's hashes differ by accident only, which nobody brings about without their secret.
    labels = [] if label is None else [*map(hash, words[label :: len(names)])]
    return np.array(labels, np.int64), numbers


def _no_number(
    words: list[str], names: tuple[str, ...], columns: list[int]
) -> InvalidSubmissionError:
    """Names the first word that is not a number."""
    for place, word in enumerate(words):
        try:
            float(word if place % len(names) in columns else 0)
        except ValueError:
            break
    return InvalidSubmissionError(
        f"found {word[:60]!r}, expected a number in {expected_groups(names)}"
    )


def _cut_list(row: int, count: int, names: tuple[str, ...], split: Split) -> InvalidSubmissionError:
    between = "" if split is str.split else " between single blanks"
    return InvalidSubmissionError(
        f"the list in row {row + 1} has {count} words{between}, expected {expected_groups(names)}"
    )
