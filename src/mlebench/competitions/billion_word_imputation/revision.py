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
    note="`sample_submission.csv` is a submission that leaves all sentences as they are.",
    prepare=with_public_sample(prepare),
    sample_submission="public/sample_submission.csv",
)
