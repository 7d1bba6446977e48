"""Masks written as run lengths: cells of `start length` pairs, pixels counted from 1.

The whole column is parsed at once, eight digits in a few operations, since a file may hold tens of
millions of numbers; no picture is ever drawn, so a run of any length costs nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from mlebench.data.frames import Frame
from mlebench.errors import InvalidSubmissionError
from mlebench.grading.cells import require_texts, text_cells
from mlebench.grading.formats import match_ids, require_columns, require_rows
from mlebench.metrics.masks import Masks, sums_before

BLOCK = 1 << 17
MAX_DIGITS = 18
ZERO, BLANK = ord("0"), ord(" ")
PAIRINGS = tuple(
    (np.uint64(10**digits * 2**bits + 1), np.uint64(bits), np.uint64(kept))
    for digits, bits, kept in (
        (1, 8, 0x00FF00FF00FF00FF),
        (2, 16, 0x0000FFFF0000FFFF),
        (4, 32, 0x00000000FFFFFFFF),
    )
)
"""How neighbours of 1, 2 and 4 digits become one number each: factor, shift, bits kept."""


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
        self._predictions(submission, keys)

    def align(self, submission: Frame, answers: Frame) -> tuple[Masks, Masks]:
        masks, order = self._predictions(submission, self.keys(answers))
        sizes = self._sizes(answers)
        truth = parse_masks(self._texts(answers[self.truth or self.target]))
        return truth.cut(sizes), masks[order].cut(sizes)

    def _predictions(self, submission: Frame, keys: Frame) -> tuple[Masks, Any]:
        require_columns(submission, [self.id, self.target], exact=self.exact_columns)
        require_rows(submission, len(keys), self.id)
        column = submission[self.target]
        require_texts(column, gaps=self.empty == "", expected="pairs 'start length'")
        masks = parse_masks(self._texts(column))
        refuse_overlaps(masks)
        return masks, match_ids(submission[self.id], keys[self.id])

    def _texts(self, column: Any) -> Any:
        return column.where(column != self.empty, "") if self.empty else column

    def _sizes(self, answers: Frame) -> Any:
        if isinstance(self.size, int):
            return np.full(len(answers), self.size, dtype=np.int64)
        width, height = (answers[name].to_numpy().astype(np.int64) for name in self.size)
        return width * height


def parse_masks(column: Any) -> Masks:
    """Runs from a column of texts, gaps being empty; overlaps are not looked for.

    Odd counts follow the published decoder: a lone number marks nothing, and in three numbers both
    runs have the one length.
    """
    data, cell_ends = _joined(column)
    numbers, places = _numbers(data, cell_ends)
    first_number = np.concatenate([[0], np.searchsorted(places, cell_ends)])
    numbers, first_number = _even(numbers, first_number)
    starts, lengths = numbers[0::2] - 1, numbers[1::2]
    masks = Masks(starts, starts + lengths, first_number // 2)
    _refuse(masks, (starts < 0) | (lengths < 1), "a start or length of 0; expected at least 1")
    _refuse(masks, _follows(masks, starts, starts), "starts that do not ascend")
    return masks


def refuse_overlaps(masks: Masks) -> None:
    """No pixel may be marked twice."""
    _refuse(masks, _follows(masks, masks.ends, masks.starts), "runs that overlap")


def _follows(masks: Masks, before: Any, after: Any) -> Any:
    """For each run: is `before` of the run before it in the row greater than its own `after`?"""
    wrong = np.zeros(len(masks.starts), dtype=bool)
    wrong[1:] = before[:-1] > after[1:]
    wrong[masks.first_run[:-1][np.diff(masks.first_run) > 0]] = False
    return wrong


def _joined(column: Any) -> tuple[Any, Any]:
    """All texts as bytes, each with a line end, and where they end."""
    import pyarrow as pa
    import pyarrow.compute as pc

    texts = text_cells(column)
    nothing, line_end = (pa.scalar(text, texts.type) for text in ("", "\n"))
    lines = pc.binary_join_element_wise(texts, nothing, line_end)
    offsets, data = lines.buffers()[1:]
    cell_ends = np.frombuffer(offsets, dtype=np.int64)[1 : len(lines) + 1]
    return np.frombuffer(data or b"", dtype=np.uint8)[
        : cell_ends[-1] if len(lines) else 0
    ], cell_ends


def _numbers(data: Any, cell_ends: Any) -> tuple[Any, Any]:
    """Every number of the text and the place of its last digit."""
    numbers, places, start = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.int64)], 0
    while start < len(data):
        stop = _end_of_word(data, min(start + BLOCK, len(data)))
        block = np.full(stop - start + 9, BLANK, dtype=np.uint8)
        block[8:-1] = data[start:stop]
        is_digit = block - ZERO < 10
        wrong = is_digit != (block > BLANK)
        if wrong.any():
            place = start + int(np.argmax(wrong)) - 8
            raise _not_a_number(data, place, cell_ends)
        bounds = np.flatnonzero(is_digit[1:] != is_digit[:-1])
        lengths = bounds[1::2] - bounds[0::2]
        if len(lengths) and lengths.max() > MAX_DIGITS:
            place = start + int(bounds[1::2][np.argmax(lengths)]) - 8
            raise _not_a_number(data, place, cell_ends)
        numbers.append(_values(block, bounds[1::2], lengths))
        places.append(bounds[1::2] + (start - 8))
        start = stop
    return np.concatenate(numbers), np.concatenate(places)


def _end_of_word(data: Any, stop: int) -> int:
    """Move on to the next blank, unless the word is too long for a number anyway."""
    for place in range(stop - 1, min(stop + MAX_DIGITS, len(data))):
        if data[place] <= BLANK:
            return place + 1
    return min(stop + MAX_DIGITS, len(data))


def _values(block: Any, last: Any, lengths: Any) -> Any:
    """The numbers whose last digits stand at these places, eight digits at a time."""
    windows = np.ndarray((len(block) - 7,), "<u8", buffer=block, strides=(1,))
    values = _up_to_eight_digits(windows[last - 7], lengths)
    for more in range(8, int(lengths.max(initial=0)), 8):
        long = np.flatnonzero(lengths > more)
        part = _up_to_eight_digits(windows[last[long] - 7 - more], lengths[long] - more)
        values[long] += part * 10**more
    return values


def _up_to_eight_digits(windows: Any, lengths: Any) -> Any:
    """The value of the last digits in windows of eight bytes: neighbours are added pair by pair."""
    unused_bits = (8 * np.maximum(8 - lengths, 0)).astype(np.uint64)
    digits = windows & np.uint64(0x0F0F0F0F0F0F0F0F)
    digits >>= unused_bits
    digits <<= unused_bits
    for factor, shift, kept in PAIRINGS:
        digits *= factor
        digits >>= shift
        digits &= kept
    return digits.view(np.int64)


def _even(numbers: Any, first_number: Any) -> tuple[Any, Any]:
    """Make pairs of the odd counts that are accepted; refuse the others."""
    counts = np.diff(first_number)
    odd = np.flatnonzero(counts % 2)
    if not len(odd):
        return numbers, first_number
    long = odd[counts[odd] > 3]
    if len(long):
        raise InvalidSubmissionError(
            f"the mask in row {int(long[0]) + 1} has {int(counts[long[0]])} numbers,"
            " expected pairs 'start length'"
        )
    lone, three = odd[counts[odd] == 1], odd[counts[odd] == 3]
    repeated = numbers[first_number[three] + 1]
    kept = np.ones(len(numbers), dtype=bool)
    kept[first_number[lone]] = False
    places = np.cumsum(kept)[first_number[three] + 2]
    counts = counts + (counts == 3) - (counts == 1)
    return np.insert(numbers[kept], places, repeated), sums_before(counts)


def _refuse(masks: Masks, wrong: Any, found: str) -> None:
    if wrong.any():
        row = int(np.searchsorted(masks.first_run, int(np.argmax(wrong)), side="right"))
        raise InvalidSubmissionError(f"the mask in row {row} has {found}")


def _not_a_number(data: Any, place: int, cell_ends: Any) -> InvalidSubmissionError:
    """Name the word around a place."""
    row = int(np.searchsorted(cell_ends, place, side="right"))
    cell_start = int(cell_ends[row - 1]) if row else 0
    before = bytes(data[max(cell_start, place - 30) : place]).split(b" ")[-1]
    after = bytes(data[place : place + 30]).split()[0]
    word = (before + after).decode("utf-8", "replace")
    return InvalidSubmissionError(
        f"the mask in row {row + 1} has {word!r}, expected integers from 1 to 18 digits"
    )
