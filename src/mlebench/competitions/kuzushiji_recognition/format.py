"""Cells that list the characters of a page: `code x y`, and in the answers width and height."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mlebench.formats import RowPerId
from mlebench.formats.box_lists import ListedBoxes
from mlebench.formats.cells import Cells, Separator
from mlebench.formats.values import texts, texts_only

if TYPE_CHECKING:
    import pandas as pd

POINT = ("code", "x", "y")
BOX = (*POINT, "width", "height")


class PagePerId(RowPerId):
    """One row per page, in any order; its characters are read when they are checked or graded."""

    def check(self, submission: pd.DataFrame, keys: pd.DataFrame) -> None:
        super().check(submission, keys)
        self.values(submission[self.targets]).check()


def predicted_points(frame: pd.DataFrame) -> ListedBoxes:
    """Cells of triples with single blanks between; a gap holds no character."""
    return ListedBoxes(Cells.of(texts_only(frame), POINT, Separator.BLANK))


def true_boxes(answers: pd.DataFrame) -> ListedBoxes:
    """Cells of the answers, with five parts a character; a page without text has a gap."""
    return ListedBoxes(Cells.of(texts(answers[["labels"]]), BOX, Separator.BLANK))
