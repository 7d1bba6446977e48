"""Cells that list groups of words, of which one may be a label and the others are numbers."""

from __future__ import annotations

from enum import IntEnum
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from mlebench.errors import InvalidSubmissionError
from mlebench.metrics.threads import on_blocks
from mlebench.metrics.words import COLUMN, SEED, Block, as_arrow, bytes_of, in_blocks
from mlebench.native import FLOATS, INTS, SIZE, kernel

LABELS = ("label", "code")
NO_LABEL = -1
NOT_PLAIN = -1
"""Stands for the number of words in cells that only Python can split at any white space."""
FEW_ODD = 64
"""Words of some rows that Python must read: for more the kernel walks once again."""

_count_in_cells = kernel("count_in_cells", SIZE, *COLUMN, SIZE, INTS, gives=None)
_read_groups = kernel(
    "read_groups",
    *(SIZE, *COLUMN, SIZE, INTS, SIZE, SIZE, SIZE),
    *(SIZE, INTS, FLOATS, INTS, SIZE),
)


class Separator(IntEnum):
    """What stands between words."""

    BLANK = 0
    """Exactly one, so that two have an empty word between them."""

    BLANK_UNLESS_ALL = 1
    """Likewise, but a cell of blanks alone has no words."""

    WHITE_SPACE = 2
    """Of any length."""


class Groups(NamedTuple):
    """The groups of all cells, one after another."""

    starts: Any
    """Which group is the first of each cell; behind them the number of groups."""

    labels: Any
    """A number for the label of each group, equal for equal labels."""

    numbers: Any
    """The other words, a line per group."""


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


def without_gaps(column: Any) -> Any:
    """A column of texts with empty ones in place of gaps."""
    is_gap = column.isna()
    return [""] * len(column) if is_gap.all() else column.fillna("") if is_gap.any() else column


def expected_groups(names: tuple[str, ...]) -> str:
    """For messages: what a cell should hold."""
    return f"groups of '{' '.join(names)}'"


def read_groups(texts: Any, names: tuple[str, ...], separator: Separator) -> Groups:
    """Take cells apart; one name may be a label's, the others are numbers'."""
    lists = list(on_blocks(lambda block: _counted(block, separator), in_blocks(texts)))
    counts = np.concatenate([np.empty(0, np.int64), *(block[-1] for block in lists)])
    groups = counts // len(names)
    _require_whole_groups(counts, groups, names, separator)
    starts = np.concatenate([[0], np.cumsum(groups)])
    label = next((place for place, name in enumerate(names) if name in LABELS), NO_LABEL)
    labels = np.empty(starts[-1] if label != NO_LABEL else 0, np.int64)
    numbers = np.empty((starts[-1], len(names) - (label != NO_LABEL)))
    first = starts[np.cumsum([0, *(rows for rows, *_ in lists)])].tolist()

    def read(block: int) -> None:
        here = slice(*first[block : block + 2])
        of_block = *lists[block], len(names), label, SEED
        _read_block(of_block, labels[here], numbers[here], names)

    list(on_blocks(read, range(len(lists))))
    return Groups(starts, labels, numbers)


def _counted(block: Block, separator: Separator) -> Block:
    """Some cells, what stands between their words, and how many words each has."""
    counts = np.empty(block[0], np.int64)
    _count_in_cells(*block, separator, counts)
    if not (counts == NOT_PLAIN).any():
        return *block, separator, counts
    rows, data, ends = block
    texts = (data[start:stop].tobytes().decode() for start, stop in pairwise(ends.tolist()))
    plain = as_arrow([" ".join(text.split()) for text in texts])
    return _counted((rows, *bytes_of(plain)), Separator.BLANK)


def _read_block(lists: Block, labels: Any, numbers: Any, names: tuple[str, ...]) -> None:
    """Fill the labels and numbers of some rows; Python reads what the kernel cannot tell."""
    odd = np.empty((FEW_ODD, 3), np.int64)
    found = _read_groups(*lists, len(numbers), labels, numbers, odd, len(odd))
    if found > len(odd):
        odd = np.empty((found, 3), np.int64)
        _read_groups(*lists, len(numbers), labels, numbers, odd, len(odd))
    data, flat = memoryview(lists[1]), numbers.reshape(-1)
    words = (str(data[begin:end], "utf-8") for begin, end in odd[:found, 1:].tolist())
    flat[odd[:found, 0]] = [_number(word, names) for word in words]


def _require_whole_groups(
    counts: Any, groups: Any, names: tuple[str, ...], separator: Separator
) -> None:
    cut = np.flatnonzero(counts != groups * len(names))
    if len(cut):
        between = "" if separator == Separator.WHITE_SPACE else " between single blanks"
        raise InvalidSubmissionError(
            f"the list in row {int(cut[0]) + 1} has {int(counts[cut[0]])} words{between},"
            f" expected {expected_groups(names)}"
        )


def _number(word: str, names: tuple[str, ...]) -> float:
    try:
        return float(word)
    except ValueError:
        raise InvalidSubmissionError(
            f"found {word[:60]!r}, expected a number in {expected_groups(names)}"
        ) from None
