"""Revision v1.1: no repeated sentences in the test part, and a loose sample submission."""

from mlebench.competitions.text_normalization_challenge_english_language.prepare import (
    prepare_language,
)
from mlebench.recipes import with_public_sample
from mlebench.revision import Changes, Fix

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
        "crowded board: bronze and gold are closer than the sampling error of a score",
        "crowded board: 18 % of the teams have the score of one public baseline, which is bronze",
        "external copy: the source is public, so that pretrained models may have seen test items",
    ),
    note="`sample_submission.csv` is also delivered outside its archive.",
    prepare=with_public_sample(prepare_language("en", drops_repeats=True, has_gaps=False)),
    texts=("after",),
    sample_submission="public/sample_submission.csv",
)
