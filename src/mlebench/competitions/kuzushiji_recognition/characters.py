"""Cells that list the characters of a page: `code x y`, and in the answers width and height."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from mlebench.data.frames import Frame
from mlebench.errors import InvalidSubmissionError
from mlebench.grading.cells import parse_numbers
from mlebench.grading.values import texts, texts_only
from mlebench.metrics.words import as_arrow, split_at_blanks


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
    import pyarrow.compute as pc

    column = as_arrow(cells)
    filled = np.flatnonzero(pc.not_equal(column, "").to_numpy(zero_copy_only=False))
    words = split_at_blanks(column.take(filled))
    wrong = words.counts % width != 0
    if wrong.any():
        row = int(np.argmax(wrong))
        raise InvalidSubmissionError(
            f"the cell in row {int(filled[row]) + 1} has {int(words.counts[row])} parts between"
            f" single blanks, expected a multiple of {width}: code, x, y"
        )
    is_code = np.arange(len(words.length)) % width == 0
    codes = words.only(is_code, words.starts // width)
    coordinates = words.only(~is_code, words.starts - words.starts // width).texts()
    return Characters(
        pages=len(column),
        page=filled[codes.rows],
        code=codes.keys,
        numbers=parse_numbers(coordinates, "a coordinate").reshape(-1, width - 1),
    )


def points_in_boxes(labels: str) -> str:
    """A point inside of each true box: one pixel from its corner."""
    words = labels.split()
    characters = zip(words[::5], words[1::5], words[2::5], strict=True)
    return " ".join(f"{code} {int(x) + 1} {int(y) + 1}" for code, x, y in characters)
