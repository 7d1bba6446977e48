"""Cells that list the characters of a page: `code x y`, and in the answers width and height."""

from __future__ import annotations

from mlebench.data.frames import Frame
from mlebench.grading.cells import Separator, read_groups
from mlebench.grading.values import texts, texts_only
from mlebench.metrics.boxes import Boxes

POINT = ("code", "x", "y")
BOX = (*POINT, "width", "height")


def predicted_points(frame: Frame) -> Boxes:
    """Cells of triples with single blanks between; a gap holds no character."""
    return Boxes.in_lists(*read_groups(texts_only(frame), POINT, Separator.BLANK))


def true_boxes(answers: Frame) -> Boxes:
    """Cells of the answers, with five parts a character; a page without text has a gap."""
    return Boxes.in_lists(*read_groups(texts(answers[["labels"]]), BOX, Separator.BLANK))


def points_in_boxes(labels: str) -> str:
    """A point inside of each true box: one pixel from its corner."""
    words = labels.split()
    characters = zip(words[::5], words[1::5], words[2::5], strict=True)
    return " ".join(f"{code} {int(x) + 1} {int(y) + 1}" for code, x, y in characters)
