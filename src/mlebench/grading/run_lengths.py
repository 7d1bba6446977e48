"""Masks written as run lengths: cells of `start length` pairs, pixels counted from 1.

A file may hold tens of millions of numbers, which are parsed by blocks of rows. No picture is ever
drawn, so a run of any length costs nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from mlebench.data.frames import Frame
from mlebench.errors import InvalidSubmissionError
from mlebench.grading.cells import require_texts, text_cells
from mlebench.grading.digits import find_numbers
from mlebench.grading.formats import match_ids, require_columns, require_rows
from mlebench.metrics.masks import Masks, sums_before
from mlebench.metrics.threads import on_blocks

BLOCK = 1 << 18
"""Bytes of text taken at a time, so that all about them stays in the processor's cache."""


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

    def keys(self, answers: Frame) -> Frame:
        return answers[[self.id]]

    def check(self, submission: Frame, keys: Frame) -> None:
        texts = self._predictions(submission, keys)
        for first, last in row_blocks(texts):
            texts.masks(first, last)

    def align(self, submission: Frame, answers: Frame) -> tuple[list[Masks], list[Masks]]:
        """Truth and prediction as blocks of the same rows."""
        predicted = self._predictions(submission, self.keys(answers))
        true = MaskTexts.of(self._filled(answers[self.truth or self.target]))
        sizes = self._sizes(answers)

        def parse(rows: tuple[int, int]) -> tuple[Masks, Masks]:
            first, last = rows
            masks = true.masks(first, last).cut(sizes[first:last])
            if np.array_equal(true.texts(first, last), predicted.texts(first, last)):
                return masks, masks
            return masks, predicted.masks(first, last).cut(sizes[first:last])

        pairs = list(on_blocks(parse, row_blocks(true, predicted)))
        return [masks for masks, _ in pairs], [masks for _, masks in pairs]

    def _predictions(self, submission: Frame, keys: Frame) -> MaskTexts:
        require_columns(submission, [self.id, self.target], exact=self.exact_columns)
        require_rows(submission, len(keys), self.id)
        column = submission[self.target]
        require_texts(column, gaps=self.empty == "", expected="pairs 'start length'")
        order = match_ids(submission[self.id], keys[self.id])
        return MaskTexts.of(self._filled(column), order)

    def _filled(self, column: Any) -> Any:
        """The column with empty texts for empty masks."""
        return column.where(column != self.empty, "") if self.empty else column

    def _sizes(self, answers: Frame) -> Any:
        if isinstance(self.size, int):
            return np.full(len(answers), self.size, dtype=np.int64)
        width, height = (answers[name].to_numpy().astype(np.int64) for name in self.size)
        return width * height


@dataclass(frozen=True)
class MaskTexts:
    """A column of masks as one text."""

    data: Any
    """The bytes of all cells, each with a line end."""

    starts: Any
    """Where each cell begins, and at the end how many bytes there are."""

    rows: Any
    """For messages: the row of the file that each cell comes from."""

    @classmethod
    def of(cls, column: Any, order: Any = None) -> MaskTexts:
        """The cells of a column, in this order of its rows; gaps are empty masks."""
        import pyarrow as pa
        import pyarrow.compute as pc

        rows = np.arange(len(column)) if order is None else order
        texts = text_cells(column)
        if not np.array_equal(rows, np.arange(len(column))):
            texts = texts.take(pa.array(rows))
        nothing, line_end = (pa.scalar(text, texts.type) for text in ("", "\n"))
        lines = pc.binary_join_element_wise(texts, nothing, line_end)
        starts_buffer, data_buffer = lines.buffers()[1:]
        starts = np.frombuffer(starts_buffer, dtype=np.int64)[: len(lines) + 1]
        data = np.frombuffer(data_buffer or b"", dtype=np.uint8)[: starts[-1]]
        return cls(data, starts, rows)

    def texts(self, first: int, last: int) -> Any:
        """The bytes of some rows."""
        return self.data[self.starts[first] : self.starts[last]]

    def masks(self, first: int = 0, last: int | None = None, sizes: Any = None) -> Masks:
        """The masks of some rows; refused if malformed, also if runs overlap after a cut to sizes.

        Odd counts follow the published decoder: a lone number marks nothing, and in three numbers
        both runs have the one length.
        """
        last = len(self.rows) if last is None else last
        begin = self.starts[first]
        found = find_numbers(self.texts(first, last))
        if found.wrong is not None:
            raise self._not_a_number(begin + found.wrong)
        first_number = np.searchsorted(found.places, self.starts[first : last + 1] - begin)
        numbers, first_number = self._even(found.values, first_number, first)
        starts = numbers[0::2] - 1
        masks = Masks(starts, starts + numbers[1::2], first_number // 2)
        if numbers.min(initial=1) < 1:
            wrong = (numbers[0::2] < 1) | (numbers[1::2] < 1)
            self._refuse(masks, wrong, first, "a start or length of 0, expected 1 or more")
        wrong = masks.begins_before(masks.ends)
        if wrong.any():
            self._refuse(masks, masks.begins_before(starts), first, "starts that do not ascend")
            masks = masks if sizes is None else masks.cut(sizes)
            self._refuse(masks, masks.begins_before(masks.ends), first, "runs that overlap")
        return masks if sizes is None else masks.cut(sizes)

    def _even(self, numbers: Any, first_number: Any, first: int) -> tuple[Any, Any]:
        """Make pairs of the odd counts that are accepted; refuse the others."""
        counts = np.diff(first_number)
        odd = np.flatnonzero(counts & 1)
        if not len(odd):
            return numbers, first_number
        if (counts[odd] > 3).any():
            row = int(odd[counts[odd] > 3][0])
            raise InvalidSubmissionError(
                f"the mask in row {self.rows[first + row] + 1} has {counts[row]} numbers,"
                " expected pairs 'start length'"
            )
        lone, three = odd[counts[odd] == 1], odd[counts[odd] == 3]
        repeated = numbers[first_number[three] + 1]
        kept = np.ones(len(numbers), dtype=bool)
        kept[first_number[lone]] = False
        places = np.cumsum(kept)[first_number[three] + 2]
        counts = counts + (counts == 3) - (counts == 1)
        return np.insert(numbers[kept], places, repeated), sums_before(counts)

    def _refuse(self, masks: Masks, is_wrong: Any, first: int, found: str) -> None:
        if is_wrong.any():
            run = int(np.argmax(is_wrong))
            row = int(np.searchsorted(masks.first_run, run, side="right")) - 1
            raise InvalidSubmissionError(
                f"the mask in row {self.rows[first + row] + 1} has {found}"
            )

    def _not_a_number(self, place: int) -> InvalidSubmissionError:
        """Name the word around a place."""
        row = int(np.searchsorted(self.starts, place, side="right")) - 1
        before = bytes(self.data[max(int(self.starts[row]), place - 30) : place]).split(b" ")[-1]
        after = bytes(self.data[place : place + 30]).split()[0]
        word = (before + after).decode("utf-8", "replace")
        return InvalidSubmissionError(
            f"the mask in row {self.rows[row] + 1} has {word!r}, expected integers from 1 to 18"
            " digits"
        )


def row_blocks(*columns: MaskTexts) -> Iterator[tuple[int, int]]:
    """First and last row of blocks that hold, over all columns, about so many bytes."""
    places = sum(column.starts for column in columns)
    cuts = np.searchsorted(places, np.arange(0, places[-1], BLOCK), side="left")
    edges = np.unique(np.append(cuts, len(places) - 1)).tolist()
    yield from pairwise(edges)
