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
    note="`sample_submission.csv` is also delivered outside its archive.",
    prepare=with_public_sample(prepare_revised("en")),
    texts=("after",),
    sample_submission="public/sample_submission.csv",
)
