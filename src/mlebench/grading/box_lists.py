"""Boxes written as lists: a cell holds any number of boxes, each a fixed number of words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from mlebench.data.frames import Frame
from mlebench.errors import InvalidSubmissionError
from mlebench.grading.cells import (
    WordLists,
    number_words,
    parse_numbers,
    require_texts,
    split_at_blanks,
    split_at_white_space,
    text_cells,
)
from mlebench.grading.formats import match_ids, require_columns, require_rows
from mlebench.metrics.boxes import Boxes
from mlebench.metrics.threads import on_blocks

BLOCK = 1 << 20
"""Bytes of text taken at a time, so that all about them stays in the processor's cache."""


@dataclass(frozen=True)
class BoxLists:
    """Boxes of all rows, still with the names of their classes."""

    labels: WordLists
    numbers: Any
    """Confidence and place, a line per box."""

    def boxes(self, labels: Any) -> Boxes:
        """The boxes with their classes as numbers."""
        return Boxes(
            self.labels.rows,
            labels,
            self.numbers[:, 0],
            self.numbers[:, 1:],
            len(self.labels.starts) - 1,
        )


@dataclass(frozen=True)
class BoxesPerId:
    """One row per id, in any order, with a list of boxes."""

    id: str
    target: str
    words: tuple[str, ...]
    """What a box consists of; one of them is the `label`, the first other one the confidence."""

    empty: bool = False
    """Whether an empty cell is a list without boxes; words then stand one blank apart."""

    @property
    def targets(self) -> list[str]:
        return [self.target]

    def keys(self, answers: Frame) -> Frame:
        return answers[[self.id]]

    def check(self, submission: Frame, keys: Frame) -> None:
        self._predictions(submission, keys)

    def align(self, submission: Frame, answers: Frame) -> tuple[Boxes, Boxes]:
        predicted = self._predictions(submission, self.keys(answers))
        truth = self._parse(answers[self.target], np.arange(len(answers)))
        true_labels, labels = number_words(truth.labels.flat, predicted.labels.flat)
        return truth.boxes(true_labels), predicted.boxes(labels)

    def _predictions(self, submission: Frame, keys: Frame) -> BoxLists:
        require_columns(submission, [self.id, self.target])
        require_rows(submission, len(keys), self.id)
        order = match_ids(submission[self.id], keys[self.id])
        column = submission[self.target]
        require_texts(column, gaps=self.empty, expected=self._expected)
        lists = self._parse(column.iloc[order], order)
        if not np.isfinite(lists.numbers[:, 0]).all():
            found = lists.numbers[:, 0][~np.isfinite(lists.numbers[:, 0])][0]
            raise InvalidSubmissionError(f"found the confidence {found}, expected a finite number")
        return lists

    @property
    def _expected(self) -> str:
        return expected_groups(self.words)

    def _parse(self, column: Any, places: Any) -> BoxLists:
        split = split_at_blanks if self.empty else split_at_white_space
        return read_groups(column, self.words, places=places, split=split)


def read_groups(
    column: Any,
    names: tuple[str, ...],
    *,
    places: Any,
    split: Callable[[Any], WordLists] = split_at_blanks,
) -> BoxLists:
    """Take cells apart into groups of numbers, of which one word may be a label.

    Args:
        places: for messages, the row of the file that each cell comes from.
    """
    import pyarrow as pa

    texts = text_cells(column)
    step = max(len(texts) * BLOCK // max(texts.nbytes, 1), 1)

    def read(start: int) -> tuple[Any, Any, Any]:
        words = split(texts.slice(start, step))
        require_groups(words, names, places[start : start + step])
        is_label = np.arange(len(words.flat)) % len(names) == _label(names)
        labels = words.flat.filter(is_label)
        flat = words.flat.filter(~is_label) if len(labels) else words.flat
        numbers = parse_numbers(flat, f"a number in {expected_groups(names)}")
        return words.counts // len(names), labels, numbers

    counts, labels, numbers = zip(*on_blocks(read, range(0, len(texts), step)), strict=True)
    starts = np.concatenate([[0], np.cumsum(np.concatenate(counts))])
    per_box = len(names) - (_label(names) >= 0)
    return BoxLists(
        WordLists(pa.concat_arrays(labels), starts), np.concatenate(numbers).reshape(-1, per_box)
    )


def _label(names: tuple[str, ...]) -> int:
    """Which word is the label, or −1."""
    return names.index("label") if "label" in names else -1


def expected_groups(names: tuple[str, ...]) -> str:
    """For messages: what a cell should hold."""
    return f"groups of '{' '.join(names)}'"


def require_groups(words: WordLists, names: tuple[str, ...], places: Any) -> None:
    """Every cell holds whole groups of words; the places are the rows of the file."""
    cut = np.flatnonzero(words.counts % len(names))
    if len(cut):
        raise InvalidSubmissionError(
            f"the list in row {int(places[cut[0]]) + 1} has {int(words.counts[cut[0]])} words,"
            f" expected {expected_groups(names)}"
        )
