"""Masks written as run lengths: cells of `start length` pairs, pixels counted from 1.

A file may hold tens of millions of numbers. No picture is ever drawn and no run kept: both cells of
a row are walked side by side, so a run of any length costs nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from mlebench.errors import InvalidSubmissionError
from mlebench.formats.base import (
    Aligned,
    require_columns,
    require_rows,
    scored_all_the_same,
)
from mlebench.formats.cells import require_texts
from mlebench.formats.matching import match_ids
from mlebench.formats.odd_runs import runs_of
from mlebench.metrics.masks import PredictedMasks, TrueMasks
from mlebench.metrics.threads import fill_blocks
from mlebench.metrics.words import Places
from mlebench.native import BYTES, INTS, SIZE, kernel

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

BLOCK = 1 << 20
"""Bytes of text that a processor takes at a time."""

ROW_COST = 16
"""What a row takes beside its text, in bytes of text."""

NO_LIMIT = np.iinfo(np.int64).max
NOT_A_NUMBER, ODD_COUNT = 1, 2
FAULTS = {
    3: "a start or length of 0, expected 1 or more",
    4: "starts that do not ascend",
    5: "runs that overlap",
}

_mask_areas = kernel("mask_areas", SIZE, *[INTS] * 5, SIZE, *[INTS] * 3)
_mask_fault = kernel("mask_fault", BYTES, SIZE, SIZE, INTS)


@dataclass(frozen=True)
class MaskPerId:
    """One row per id with a mask, in any order; masks are cut to the pictures on both sides."""

    id: str
    target: str
    size: int | tuple[str, str]
    """Pixels of every picture, or the columns of the answers that hold width and height."""

    empty: str | None = ""
    """How an empty mask is written; without text an empty cell is one, with `None` none is."""

    truth: str | None = None
    """Column of the answers, where it is not called like the target."""

    exact_columns: bool = False

    @property
    def targets(self) -> list[str]:
        return [self.target]

    def keys(self, answers: pd.DataFrame) -> pd.DataFrame:
        return answers[[self.id]]

    def check(self, submission: pd.DataFrame, keys: pd.DataFrame) -> None:
        texts = self._predictions(submission, keys)
        measure(texts, texts, np.full(len(keys), NO_LIMIT))

    def align(self, submission: pd.DataFrame, answers: pd.DataFrame) -> Aligned:
        """How much each mask marks, and how much of that is right."""
        predicted = self._predictions(submission, self.keys(answers))
        true = MaskTexts.of(answers[self.truth or self.target], self.empty)
        graded = measure_as_published(true, predicted, self._sizes(answers))
        return Aligned(graded.truth, graded.prediction, graded.warnings)

    def _predictions(self, submission: pd.DataFrame, keys: pd.DataFrame) -> MaskTexts:
        require_columns(submission, [self.id, self.target], exact=self.exact_columns)
        require_rows(submission, len(keys), self.id)
        column = submission[self.target]
        require_texts(column, gaps=self.empty == "", expected="pairs 'start length'")
        order = match_ids(submission[self.id], keys[self.id])
        return MaskTexts.of(column, self.empty).in_order(order)

    def _sizes(self, answers: pd.DataFrame) -> NDArray[np.int64]:
        if isinstance(self.size, int):
            return np.full(len(answers), self.size, dtype=np.int64)
        width, height = (answers[name].to_numpy().astype(np.int64) for name in self.size)
        return width * height


@dataclass(frozen=True)
class MaskTexts:
    """A column of masks, its texts where Arrow stores them."""

    begins: Any
    """The address of each cell's first byte."""

    lengths: Any
    rows: Any
    """For messages: the row of the file that each cell comes from."""

    held: Any
    """What keeps the texts in memory."""

    @classmethod
    def of(cls, column: Any, empty: str | None = "") -> MaskTexts:
        """The cells of a column; gaps are empty masks, and so is the text for one."""
        import pyarrow.compute as pc

        places = Places.of(column)
        if empty:
            is_empty = pc.equal(places.held[0], empty).fill_null(False)
            places.lengths[is_empty.to_numpy(zero_copy_only=False)] = 0
        return cls(places.begins, places.lengths, np.arange(len(column)), places.held)

    def in_order(self, order: Any) -> MaskTexts:
        """The cells of these rows."""
        if np.array_equal(order, np.arange(len(self.rows))):
            return self
        return replace(
            self, begins=self.begins[order], lengths=self.lengths[order], rows=self.rows[order]
        )

    def part(self, rows: slice) -> MaskTexts:
        """Some rows."""
        return MaskTexts(self.begins[rows], self.lengths[rows], self.rows[rows], self.held)

    def text(self, row: int) -> Any:
        """The bytes of a cell."""
        import pyarrow as pa

        return np.frombuffer(
            pa.foreign_buffer(int(self.begins[row]), int(self.lengths[row]), self.held), np.uint8
        )


class Graded(NamedTuple):
    """Areas as the published grader has them, and the predictions as they were measured."""

    truth: TrueMasks
    prediction: PredictedMasks
    texts: MaskTexts
    warnings: tuple[str, ...] = ()


def measure_as_published(
    true: MaskTexts, predicted: MaskTexts, sizes: NDArray[np.int64], *, is_cut_first: bool = False
) -> Graded:
    """Like `measure`, but with a warning for numbers that only Python reads, such as `+17`."""
    try:
        areas = measure(true, predicted, sizes, is_cut_first=is_cut_first)
        return Graded(*areas, predicted)
    except InvalidSubmissionError as refusal:
        plain = _written_plainly(predicted, sizes, is_cut_first=is_cut_first)
        areas = measure(true, plain, sizes, is_cut_first=is_cut_first)
        return Graded(*areas, plain, scored_all_the_same(refusal))


def measure(
    true: MaskTexts, predicted: MaskTexts, sizes: NDArray[np.int64], *, is_cut_first: bool = False
) -> tuple[TrueMasks, PredictedMasks]:
    """The areas of all rows, inside of pictures of these sizes; a malformed mask is refused.

    Args:
        is_cut_first: whether runs may overlap past the last pixel.
    """
    areas = np.empty((3, len(sizes)), dtype=np.int64)

    def of_block(edges: tuple[int, int]) -> None:
        rows = slice(*edges)
        cells = (
            column[rows] for side in (true, predicted) for column in (side.begins, side.lengths)
        )
        count = rows.stop - rows.start
        wrong = _mask_areas(count, *cells, sizes[rows], is_cut_first, *areas[:, rows])
        if wrong >= 0:
            row, is_prediction = divmod(wrong, 2)
            texts, row = predicted if is_prediction else true, rows.start + row
            raise _refusal(texts, row, sizes[row] if is_cut_first else NO_LIMIT)

    fill_blocks(of_block, row_blocks(true.lengths + predicted.lengths))
    return TrueMasks(areas[0], sizes), PredictedMasks(areas[1], areas[2])


def row_blocks(lengths: Any) -> Iterator[tuple[int, int]]:
    """First and last row of blocks with about as much text, for rows with so much each."""
    places = np.cumsum(lengths + ROW_COST)
    cuts = np.searchsorted(places, np.arange(BLOCK, places[-1] if len(places) else 0, BLOCK))
    yield from pairwise(np.unique([0, *cuts, len(lengths)]).tolist())


def _written_plainly(
    texts: MaskTexts, sizes: NDArray[np.int64], *, is_cut_first: bool
) -> MaskTexts:
    """The same masks, those whose numbers only Python reads written as the kernel reads them."""
    begins, lengths, held = texts.begins.copy(), texts.lengths.copy(), [texts.held]
    detail = np.zeros(1, dtype=np.int64)
    for row in range(len(begins)):
        text = texts.text(row)
        if _mask_fault(text, len(text), NO_LIMIT, detail) != NOT_A_NUMBER:
            continue
        try:
            runs = runs_of(bytes(text).decode(), int(sizes[row]) if is_cut_first else None)
        except ValueError:
            raise _refusal(texts, row, NO_LIMIT) from None
        plain = np.frombuffer(" ".join(map(str, runs)).encode() or b" ", np.uint8)
        begins[row], lengths[row] = plain.ctypes.data, len(plain)
        held.append(plain)
    return MaskTexts(begins, lengths, texts.rows, held)


def _refusal(texts: MaskTexts, row: int, overlap_limit: int) -> InvalidSubmissionError:
    """Say what is wrong with the mask in a row."""
    text, detail = texts.text(row), np.zeros(1, dtype=np.int64)
    kind = _mask_fault(text, len(text), overlap_limit, detail)
    if kind == NOT_A_NUMBER:
        word = re.split(rb"[\x00-\x20]", bytes(text[detail[0] : detail[0] + 60]))[0]
        found = f"{word.decode('utf-8', 'replace')!r}, expected integers of at most 18 digits"
    elif kind == ODD_COUNT:
        found = f"{detail[0]} numbers, expected pairs 'start length'"
    else:
        found = FAULTS[kind]
    return InvalidSubmissionError(f"the mask in row {texts.rows[row] + 1} has {found}")
