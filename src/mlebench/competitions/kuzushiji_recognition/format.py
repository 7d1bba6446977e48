"""Cells that list the characters of a page: `code x y`, and in the answers width and height."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mlebench.formats.box_lists import boxes_in
from mlebench.formats.cells import at_blanks, read_groups
from mlebench.formats.values import texts, texts_only
from mlebench.metrics.boxes import Boxes

if TYPE_CHECKING:
    import pandas as pd

POINT = ("code", "x", "y")
BOX = (*POINT, "width", "height")


def predicted_points(frame: pd.DataFrame) -> Boxes:
    """Cells of triples separated by single spaces; a missing value means no character."""
    return boxes_in(read_groups(texts_only(frame), POINT, at_blanks))


def true_boxes(answers: pd.DataFrame) -> Boxes:
    """Cells of the answers, five parts per character; pages without text are missing values."""
    return boxes_in(read_groups(texts(answers[["labels"]]), BOX, at_blanks))
