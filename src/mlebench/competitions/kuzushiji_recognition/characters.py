"""Cells that list the characters of a page: `code x y`, and in the answers width and height."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from mlebench.data.frames import Frame
from mlebench.errors import InvalidSubmissionError
from mlebench.grading.cells import parse_numbers
from mlebench.grading.digits import short_numbers
from mlebench.grading.values import texts, texts_only
from mlebench.metrics.threads import on_blocks
from mlebench.metrics.words import Words, as_arrow, split_at_blanks

BLOCK = 1 << 19
"""Bytes of text taken at a time, so that all about them stays in the processor's cache."""


@dataclass(frozen=True)
class Characters:
    """The characters of all pages, page after page."""

    pages: int
    page: Any
    """Which page each character is on."""

    code: Any
    """A number that equal codes share."""

    numbers: Any
    """A row for each character."""

    def __len__(self) -> int:
        return self.pages

    def __getitem__(self, order: Any) -> Characters:
        """The same with the pages in another order."""
        place = np.empty(len(order), dtype=np.int64)
        place[order] = np.arange(len(order))
        return replace(self, page=place[self.page])


def predicted_points(frame: Frame) -> Characters:
    """Cells of triples with single blanks between; a gap holds no character."""
    return read_characters(texts_only(frame), 3)


def true_boxes(answers: Frame) -> Characters:
    """Cells of the answers, with five parts a character; a page without text has a gap."""
    return read_characters(texts(answers[["labels"]]), 5)


def read_characters(cells: Any, width: int) -> Characters:
    """Take the cells of a column apart; each character has a code and `width - 1` numbers."""
    column = as_arrow(cells)
    step = max(len(column) * BLOCK // max(column.nbytes, 1), 1)
    starts = range(0, len(column), step)
    parts = list(on_blocks(lambda at: _read_block(column.slice(at, step), at, width), starts))
    nothing = np.empty(0, np.int64), np.empty(0, np.uint64), np.empty((0, width - 1))
    page, code, numbers = (np.concatenate(part) for part in zip(nothing, *parts, strict=True))
    return Characters(len(column), page, code, numbers)


def _read_block(column: Any, first: int, width: int) -> tuple[Any, Any, Any]:
    """Page, code and numbers of each character in some cells, of which one is the first."""
    import pyarrow.compute as pc

    filled = np.flatnonzero(pc.not_equal(column, "").to_numpy(zero_copy_only=False))
    words = split_at_blanks(column.take(filled) if len(filled) < len(column) else column)
    wrong = words.counts % width != 0
    if wrong.any():
        row = int(np.argmax(wrong))
        raise InvalidSubmissionError(
            f"the cell in row {first + int(filled[row]) + 1} has {int(words.counts[row])} parts"
            f" between single blanks, expected a multiple of {width}: code, x, y"
        )
    begin, length = words.begin.reshape(-1, width), words.length.reshape(-1, width)
    codes = replace(words, begin=begin[:, 0], length=length[:, 0], starts=words.starts // width)
    places = begin[:, 1:].ravel(), length[:, 1:].ravel()
    numbers = short_numbers(words.data, *places)
    if numbers is None:
        texts = Words(words.data, *places, words.starts - codes.starts).texts()
        numbers = parse_numbers(texts, "a coordinate")
    return first + filled[codes.rows], codes.keys, numbers.reshape(-1, width - 1).astype(float)


def points_in_boxes(labels: str) -> str:
    """A point inside of each true box: one pixel from its corner."""
    words = labels.split()
    characters = zip(words[::5], words[1::5], words[2::5], strict=True)
    return " ".join(f"{code} {int(x) + 1} {int(y) + 1}" for code, x, y in characters)
