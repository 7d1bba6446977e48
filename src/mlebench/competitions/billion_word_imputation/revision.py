"""Revision v1.1: a loose sample submission."""

from mlebench.competitions.billion_word_imputation.competition import prepare
from mlebench.recipes import with_public_sample
from mlebench.revision import CROWDED_BOARD, EXTERNAL_COPY, Changes, Fix

changes = Changes(
    fixes=(
        Fix(
            "the sample submission is in the private folder only",
            "sample_submission.csv is public",
            "#47",
        ),
    ),
    flags=(
        CROWDED_BOARD,
        "crowded board: 36 % of the teams handed in the test file as it is, which is the median",
        "harder than the board: the unchanged file scores 5.56118 here and 5.55211 there, which is"
        " 450 times the distance from bronze to the median",
        EXTERNAL_COPY,
    ),
    prepare=with_public_sample(prepare),
    sample_submission="public/sample_submission.csv",
    passages={
        "a CSV with about 300,000 sentences that lack a word |": (
            "a CSV with about 300,000 sentences that lack a word |\n"
            "| `sample_submission.csv` | a submission that leaves all test sentences as they"
            " are |"
        ),
        "a CSV of about 300,000 sentences with a word missing |": (
            "a CSV of about 300,000 sentences with a word missing |\n"
            "| `sample_submission.csv` | a submission that leaves all test sentences as they"
            " are |"
        ),
        "The test file is itself a valid submission, and the only template there is.": (
            "The test file is itself a valid submission."
        ),
        "There is no separate sample submission: the test file has the right form and may be"
        " handed in as is.": "The test file has the right form, too, and may be handed in as is.",
    },
)
