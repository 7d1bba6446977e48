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
    prepare=with_public_sample(partial(prepare, sorted_by_id=True)),
    sample_submission="public/sample_submission.csv",
    passages={
        "Everything is inside 7z archives": "The data is inside 7z archives",
        "All public files are 7z archives with a single member.": (
            "The data is in 7z archives with a single member each."
        ),
        "| every test id with 0.5 | 321 rows |": (
            "| every test id with 0.5 | 321 rows |\n"
            "| `sample_submission.csv` | | the same, not packed | 321 rows |"
        ),
        "| all test ids with 0.5 | 321 rows |": (
            "| all test ids with 0.5 | 321 rows |\n"
            "| `sample_submission.csv` | | the same, not packed | 321 rows |"
        ),
    },
)
