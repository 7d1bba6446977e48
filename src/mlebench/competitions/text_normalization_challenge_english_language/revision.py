"""Revision v1.1: no repeated sentences in the test part, and a loose sample submission."""

from functools import partial

from mlebench.competitions.text_normalization_challenge_english_language.prepare import (
    prepare_language,
)
from mlebench.recipes import with_public_sample
from mlebench.revision import CROWDED_BOARD, EXTERNAL_COPY, Changes, Fix

prepare_revised = partial(prepare_language, drops_repeats=True, has_gaps=False)

changes = Changes(
    fixes=(
        Fix(
            "a sentence that occurs twice can be in train and test",
            "test sentences that occur in train or earlier in the test are left out",
        ),
        Fix(
            "tokens such as NA and null are blank in all files, and right when left blank",
            "tokens are read and written as they are spelled",
        ),
        Fix(
            "the public folder has a sample submission only inside an archive",
            "sample_submission.csv is public",
            "#47",
        ),
    ),
    comparability="new",
    flags=(
        CROWDED_BOARD,
        "crowded board: 18 % of the teams have the score of one public baseline, which is bronze",
        EXTERNAL_COPY,
    ),
    prepare=with_public_sample(prepare_revised("en")),
    texts=("after",),
    sample_submission="public/sample_submission.csv",
    passages={
        "The public folder holds three zip files with one CSV each": (
            "The public folder holds `sample_submission.csv`, not packed, and three zip files"
            " with one CSV each"
        ),
        "Three zip files, each with a single CSV in which": (
            "`sample_submission.csv`, not packed, and three zip files, each with a single CSV"
            " in which"
        ),
        "| 993,465": "| fewer than 993,465",
        **dict.fromkeys(
            (
                "Cells whose text a CSV reader takes for a missing value … are empty in all files.",
                "Tokens that equal a missing-value word … appear as empty cells everywhere.",
            ),
            "Test sentences that occur in train, or earlier in the test, are left out. Tokens"
            " such as `NA`, `null` and `None` are texts like any other.",
        ),
        "Texts are never refused": "Texts are never refused, not even an empty one",
        "Any text is accepted": "Any text is accepted, even an empty one",
        "Missing values on both sides are read alike, … match an empty answer.": "",
        "An empty cell and every missing-value word are one and the same value, on either side.": (
            ""
        ),
    },
)
