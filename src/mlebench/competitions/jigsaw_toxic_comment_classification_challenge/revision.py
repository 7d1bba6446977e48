"""Revision v1.1: a test part of its own, drawn from the training comments."""

from pathlib import Path

from mlebench.archives.raw import Raw
from mlebench.competitions.jigsaw_toxic_comment_classification_challenge.competition import CLASSES
from mlebench.formats import RowPerId
from mlebench.formats.values import probabilities
from mlebench.recipes import TableSplit
from mlebench.recipes.hashes import split_by_hash
from mlebench.revision import CROWDED_BOARD, Changes, Fix
from mlebench.tables import read_zipped_table

rows = RowPerId(id="id", target=CLASSES, values=probabilities)
tables = TableSplit(rows, sample_value=0.5)


def prepare(raw: Raw, public: Path, private: Path, *, test_size: float = 0.3) -> None:
    comments = read_zipped_table(raw / "train.csv.zip")
    # By text: a comment that occurs twice is in one part only.
    parts = split_by_hash(comments, "comment_text", test_size=test_size)
    tables.write(parts, public, private)


changes = Changes(
    fixes=(
        Fix(
            "the test labels are a public download",
            "three tenths of the training comments are held out, by the hash of the text; Kaggle's"
            " test comments are not delivered",
            traces=("test_labels.csv",),
        ),
        Fix("columns are paired by position", "columns are paired by name"),
    ),
    comparability="new",
    flags=(
        CROWDED_BOARD,
        "the board was made with other comments",
    ),
    prepare=prepare,
    refuses_gaps=True,
    submission=rows,
    passages={
        "159,571 rows": "about 111,700 rows",
        "153,164 rows": "about 47,900 rows",
        "| 0 or 1 (training only) |": (
            "| 0 or 1 (training only) |\n"
            "\n"
            "The test comments are three tenths of the labelled comments, drawn by their"
            " text, so that equal texts are in one part."
        ),
        "| 0 or 1, in training only |": (
            "| 0 or 1, in training only |\n"
            "\n"
            "The test comments are three tenths of the labelled comments, drawn by their"
            " text, so that equal texts are in one part."
        ),
        "**in this order**, one row per test comment, rows in any order. Value columns are"
        " taken by their position, … need not lie between 0 and 1. A missing value, text,": (
            "in any column order, one row per test comment, rows in any order. All values are"
            " numbers from 0 to 1. A missing value, text, a value outside the range,"
        ),
        "in this order: columns are identified by position, and swapping two of them spoils"
        " the score. One row per test comment, in any order. Values are finite numbers of any"
        " scale. Gaps, text,": (
            "in any column order. One row per test comment, in any order. Values are numbers"
            " from 0 to 1. Gaps, text, values outside the range,"
        ),
        "Part of the test comments, more than half, were never labelled. … which they are.": (
            "All test comments are scored."
        ),
        "More than half of the test comments have no label and are left out of the score;"
        " which ones is not known.": "All test comments are scored.",
    },
)
