"""Revision v1.1: the phrases of a sentence are in one part."""

from pathlib import Path

from mlebench.archives.raw import Raw
from mlebench.competitions.movie_review_sentiment_analysis_kernels_only.competition import write
from mlebench.recipes.hashes import split_by_hash
from mlebench.revision import TEXT_CELLS, Changes, Fix
from mlebench.tables import read_zipped_table


def prepare(raw: Raw, public: Path, private: Path, *, test_size: float = 0.3) -> None:
    phrases = read_zipped_table(raw / "train.tsv.zip", sep="\t").sort_values("PhraseId")
    train, test = split_by_hash(phrases, "SentenceId", test_size=test_size)
    write(train, test, public, private)


changes = Changes(
    fixes=(
        Fix(
            "phrases of one sentence are in train and test",
            "whole sentences are drawn by the hash of their id",
        ),
        TEXT_CELLS,
    ),
    comparability="new",
    flags=("external copy: the source corpus with all labels is public",),
    prepare=prepare,
    passages={
        "109,242 rows": "about 109,200 rows",
        "46,818 rows": "about 46,800 rows",
        **dict.fromkeys(
            (
                "Rows were split at random, phrase by phrase, … random order.",
                "The rows were divided between the two tables at random and are in random order.",
            ),
            "Whole sentences were drawn for the test: all phrases of a sentence are in one"
            " table. Rows are in the order of `PhraseId`.",
        ),
    },
)
