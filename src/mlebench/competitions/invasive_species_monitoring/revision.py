"""Revision v1.1: a loose sample submission beside the images."""

from functools import partial

from mlebench.competitions.invasive_species_monitoring.competition import prepare
from mlebench.recipes import with_public_sample
from mlebench.revision import Changes, Fix

changes = Changes(
    fixes=(
        Fix(
            "the image archives of the published preparation are empty",
            "train.7z and test.7z contain the images",
        ),
        Fix(
            "the public folder has a sample submission only inside an archive",
            "sample_submission.csv is public",
        ),
    ),
    comparability="new",
    note="`sample_submission.csv` is also delivered outside its archive.",
    prepare=with_public_sample(partial(prepare, is_sorted=True)),
    sample_submission="public/sample_submission.csv",
)
