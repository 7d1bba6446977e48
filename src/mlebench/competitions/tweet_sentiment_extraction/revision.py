"""Revision v1.1: texts that look like missing values are texts."""

from pathlib import Path

from mlebench.archives.raw import Raw
from mlebench.competitions.tweet_sentiment_extraction.competition import tables
from mlebench.revision import Changes, Fix
from mlebench.tables import read_table, split_rows


def prepare(raw: Raw, public: Path, private: Path) -> None:
    parts = split_rows(read_table(raw / "train.csv", has_gaps=False), test_size=tables.test_size)
    tables.write(parts, public, private)


changes = Changes(
    fixes=(
        Fix(
            "texts such as null and NA are read as missing, in the raw data as in submissions, so"
            " that such a stretch is graded as an empty one",
            "texts are read as they are spelled",
        ),
    ),
    comparability="new",
    prepare=prepare,
    texts=("selected_text",),
    passages={
        "Beware of texts such as `null`, `NA` or `nan`: they are read as empty.": (
            "Words such as `null`, `NA` and `nan` are texts like any other."
        ),
        "the words `null`, `NA`, `nan` and the like are taken for empty cells.": (
            "words such as `null`, `NA` and `nan` are texts like any other."
        ),
    },
)
