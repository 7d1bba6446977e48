"""Cells that list the characters of a page: `code x y`, and in the answers width and height."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from mlebench.data.frames import Frame
from mlebench.errors import InvalidSubmissionError
from mlebench.grading.values import texts, texts_only
from mlebench.metrics.words import as_arrow, split_at_blanks


@dataclass(frozen=True)
class Characters:
    """The characters of all pages, page after page."""

    page: Any
    code: Any
    """An Arrow array of texts."""

    numbers: Any
    """A row for each character."""


def predicted_points(frame: Frame) -> Any:
    """Cells of triples with single blanks between; a gap holds no character."""
    found = texts_only(frame)
    read_characters(found, 3)
    return found


def true_boxes(answers: Frame) -> Any:
    """The cells of the answers; a page without text has a gap."""
    return texts(answers[["labels"]])


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
    places = np.arange(len(words.flat)).reshape(-1, width)
    numbers = _as_floats(words.flat.take(places[:, 1:].ravel()))
    return Characters(
        page=filled[words.rows[places[:, 0]]],
        code=words.flat.take(places[:, 0]),
        numbers=numbers.reshape(-1, width - 1),
    )


def _as_floats(words: Any) -> Any:
    import pyarrow as pa

    try:
        return words.cast(pa.float64()).to_numpy()
    except pa.ArrowInvalid:
        # Python knows more ways to write a number.
        return np.array([_as_float(word) for word in words.to_pylist()])


def _as_float(word: str) -> float:
    try:
        return float(word)
    except ValueError:
        raise InvalidSubmissionError(f"{word[:60]!r} is no coordinate; expected a number") from None


def points_in_boxes(labels: str) -> str:
    """A point inside of each true box: one pixel from its corner."""
    words = labels.split()
    characters = zip(words[::5], words[1::5], words[2::5], strict=True)
    return " ".join(f"{code} {int(x) + 1} {int(y) + 1}" for code, x, y in characters)
