"""Revision v1.1: test items in the order of their ids, and a loose sample submission."""

from functools import partial

from mlebench.competitions.statoil_iceberg_classifier_challenge.prepare import prepare
from mlebench.recipes import with_public_sample
from mlebench.revision import EXTERNAL_COPY, NEAR_DUPLICATES, Changes, Fix

changes = Changes(
    fixes=(
        Fix(
            "the public folder has a sample submission only inside an archive",
            "sample_submission.csv is public",
            "#47",
        ),
    ),
    flags=(EXTERNAL_COPY, NEAR_DUPLICATES),
    note="`sample_submission.csv` is also delivered outside its archive.",
    prepare=with_public_sample(partial(prepare, sorted_by_id=True)),
    sample_submission="public/sample_submission.csv",
)
