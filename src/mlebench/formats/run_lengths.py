"""Masks written as run lengths: cells of `start length` pairs, pixels counted from 1.

No picture is ever drawn, so a run of any length costs nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from mlebench.errors import InvalidSubmissionError
from mlebench.formats.base import Aligned, require_columns, require_rows, scored_all_the_same
from mlebench.formats.cells import require_texts
from mlebench.formats.matching import order_of
from mlebench.formats.odd_runs import LONGEST_BROADCAST, runs_of
from mlebench.metrics.masks import Runs, compare
from mlebench.metrics.whole_numbers import read_whole_numbers
from mlebench.metrics.words import as_arrow

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    Ints: TypeAlias = NDArray[np.int64]

PLAIN = b"0123456789 "
MAX_DIGITS = 18
"""Longer numbers may be too large for 64 bits."""

LARGEST = 10**MAX_DIGITS - 1


@dataclass(frozen=True)
class MaskPerId:
    """One row per id with a mask, in any order; masks are cut to the pictures on both sides."""

    id: str
    target: str
    size: int | tuple[str, str]
    """Pixels of every picture, or the columns of the answers with width and height."""

    empty: str | None = ""
    """How an empty mask is written; without text an empty cell is one, with `None` none is."""

    truth: str | None = None
    """Column of the answers, if it is not named like the target."""

    exact_columns: bool = False
    is_paired: bool = False
    """Whether `check` refuses one or three numbers, which the published decoder accepts."""

    @property
    def targets(self) -> list[str]:
        return [self.target]

    def keys(self, answers: pd.DataFrame) -> pd.DataFrame:
        return answers[[self.id]]

    def check(self, submission: pd.DataFrame, keys: pd.DataFrame) -> None:
        masks = self._predictions(submission, keys)
        read_runs(masks)
        if self.is_paired:
            require_pairs(masks)

    def align(self, submission: pd.DataFrame, answers: pd.DataFrame) -> Aligned:
        """How much each mask marks, and how much of that is right."""
        predicted, sizes = self._predictions(submission, answers), self._sizes(answers)
        true = read_runs(mask_texts(answers[self.truth or self.target], self.empty), sizes)
        runs, warnings = read_runs_as_published(predicted, sizes)
        return Aligned(*compare(true, runs, sizes), warnings)

    def _predictions(self, submission: pd.DataFrame, keys: pd.DataFrame) -> pd.Series[str]:
        require_columns(submission, [self.id, self.target], exact=self.exact_columns)
        require_rows(submission, len(keys), self.id)
        column = submission[self.target]
        require_texts(column, gaps=self.empty == "", expected="pairs 'start length'")
        order = order_of(submission[self.id], keys[self.id])
        return mask_texts(column, self.empty).iloc[order]

    def _sizes(self, answers: pd.DataFrame) -> NDArray[np.int64]:
        if isinstance(self.size, int):
            return np.full(len(answers), self.size, dtype=np.int64)
        width, height = (answers[name].to_numpy().astype(np.int64) for name in self.size)
        return width * height


def mask_texts(column: pd.Series[Any], empty: str | None = "") -> pd.Series[str]:
    """The masks of a column, numbered by their rows from 1; gaps are empty masks.

    Args:
        empty: another text for an empty mask.
    """
    import pandas as pd
    import pyarrow as pa
    import pyarrow.compute as pc

    rows = range(1, len(column) + 1)
    if not isinstance(column.dtype, pd.StringDtype):
        is_gap = column.isna() | (column == empty)
        return column.map(str).where(~is_gap, "").set_axis(rows)
    # In Arrow's own terms: pandas would copy all texts several times.
    texts, nothing = as_arrow(column.array), pa.scalar("", pa.large_string())
    is_gap = texts.is_null() if empty is None else pc.equal(texts.fill_null(empty), empty)
    if pc.any(is_gap).as_py():
        texts = pc.if_else(is_gap, nothing, texts)
    return pd.Series(pd.arrays.ArrowStringArray(pa.chunked_array([texts])), rows)


def require_pairs(masks: pd.Series[str]) -> None:
    """Check that every mask has a length for each start."""
    for row, text in masks.items():
        if len(text.split()) % 2:
            raise InvalidSubmissionError(
                f"the mask in row {row} has {len(text.split())} numbers, expected pairs"
                " 'start length'"
            )


def read_runs_as_published(
    masks: pd.Series[str], sizes: Ints, *, is_cut_first: bool = False
) -> tuple[Runs, tuple[str, ...]]:
    """Like `read_runs`, but with a warning for numbers that only Python reads, such as `+17`."""
    try:
        return read_runs(masks, sizes, is_cut_first=is_cut_first), ()
    except InvalidSubmissionError as refusal:
        plain = _written_plainly(masks, sizes, is_cut_first=is_cut_first)
        return read_runs(plain, sizes, is_cut_first=is_cut_first), scored_all_the_same(refusal)


def read_runs(
    masks: pd.Series[str], sizes: Ints | None = None, *, is_cut_first: bool = False
) -> Runs:
    """The runs of all masks; a malformed mask is refused.

    Args:
        sizes: the pixels of each picture, where runs are cut.
        is_cut_first: whether runs may overlap past the last pixel.
    """
    numbers, counts = _read_numbers(masks)
    is_odd = (counts % 2 == 1) & (counts > LONGEST_BROADCAST)
    if is_odd.any() or numbers.min(initial=1) < 1 or numbers.max(initial=1) > LARGEST:
        rows = np.repeat(np.arange(len(counts)), counts)
        is_wrong = (numbers < 1) | (numbers > LARGEST) | is_odd[rows]
        raise _refusal(masks, int(rows[is_wrong][0]))

    rows, starts, ends = _pair(numbers, counts)
    last = np.minimum(ends, sizes[rows]) if is_cut_first and sizes is not None else ends
    # Of the few runs that begin before another ends, most are the first of their mask.
    early = np.flatnonzero((starts[1:] < last[:-1]) | (starts[1:] < starts[:-1]))
    wrong = early[rows[early + 1] == rows[early]]
    if len(wrong):
        raise _refusal(masks, int(rows[wrong[0]]))
    if sizes is None or ends.max(initial=0) <= sizes.min(initial=LARGEST):
        return Runs(rows, starts, ends)
    return Runs(rows, np.minimum(starts, sizes[rows]), np.minimum(ends, sizes[rows]))


def _read_numbers(masks: pd.Series[str]) -> tuple[Ints, Ints]:
    """The numbers of all masks, and how many each mask has."""
    plain = read_whole_numbers(as_arrow(masks.array))
    if plain is not None:
        return plain
    texts = masks.tolist()
    if "".join(texts).encode().translate(None, PLAIN):
        texts = [text if _is_plain(text) else " ".join(_words(text)) for text in texts]
        wrong = [row for row, text in enumerate(texts) if not _is_plain(text)]
        if wrong:
            raise _refusal(masks, wrong[0])
    # Behind each mask there is a number that no mask has.
    numbers = np.fromstring(" -1 ".join([*texts, ""]), np.int64, sep=" ")
    ends = np.flatnonzero(numbers == -1)
    return np.delete(numbers, ends), np.diff(ends, prepend=-1) - 1


def _pair(numbers: Ints, counts: Ints) -> tuple[Ints, Ints, Ints]:
    """Row, first pixel and end of each run, from the numbers of all masks.

    Odd counts follow the published decoder: a lone number marks nothing, and in three numbers
    both runs have the one length.
    """
    if (counts % 2).any():
        numbers = numbers[np.repeat(counts > 1, counts)]
        counts = np.where(counts > 1, counts, 0)
        ends_of_three = np.cumsum(counts)[counts == LONGEST_BROADCAST]
        numbers = np.insert(numbers, ends_of_three, numbers[ends_of_three - 2])
    starts = numbers[::2] - 1
    return np.repeat(np.arange(len(counts)), (counts + 1) // 2), starts, starts + numbers[1::2]


def _words(text: str) -> list[str]:
    """The words between blanks of ASCII, the only ones that numpy knows."""
    return [word.decode() for word in text.encode().split()]


def _is_plain(text: str) -> bool:
    return not text.encode().translate(None, PLAIN)


def _is_plain_number(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) <= MAX_DIGITS


def _written_plainly(masks: pd.Series[str], sizes: Ints, *, is_cut_first: bool) -> pd.Series[str]:
    """The same masks, those whose numbers only Python reads written with plain ones."""
    plain = masks.astype(object)
    for row, text in enumerate(masks):
        if all(map(_is_plain_number, _words(text))):
            continue
        try:
            runs = runs_of(text, int(sizes[row]) if is_cut_first else None)
        except ValueError:
            raise _refusal(masks, row) from None
        plain.iloc[row] = " ".join(map(str, runs))
    return plain


def _refusal(masks: pd.Series[str], row: int) -> InvalidSubmissionError:
    """Say what is wrong with the mask in a row; the most serious problem counts."""
    words = _words(masks.iloc[row])
    numbers = [int(word) for word in words if _is_plain_number(word)]
    if len(numbers) < len(words):
        word = next(word for word in words if not _is_plain_number(word))
        found = f"{word[:60]!r}, expected integers of at most {MAX_DIGITS} digits"
    elif len(numbers) % 2 and len(numbers) > LONGEST_BROADCAST:
        found = f"{len(numbers)} numbers, expected pairs 'start length'"
    elif min(numbers) < 1:
        found = "a start or length of 0, expected 1 or more"
    elif sorted(numbers[::2]) != numbers[::2]:
        found = "starts that do not ascend"
    else:
        found = "runs that overlap"
    return InvalidSubmissionError(f"the mask in row {masks.index[row]} has {found}")
