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
    note=(
        "`test.csv` is a part of the labelled comments, held out of `train.csv`. All its rows are"
        " scored."
    ),
    prepare=prepare,
    refuses_gaps=True,
    submission=rows,
)
