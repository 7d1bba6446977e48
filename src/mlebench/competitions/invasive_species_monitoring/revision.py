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
    prepare=with_public_sample(partial(prepare, is_sorted=True)),
    sample_submission="public/sample_submission.csv",
    passages={
        "Everything comes packed; unpack first": "Pictures and labels come packed; unpack first",
        "All files are archives; the 7z ones": "Pictures and labels are in archives; the 7z ones",
        **dict.fromkeys(
            (
                "| `sample_submission.csv.zip` | `sample_submission.csv`, every test image"
                " with 0.5 | 459 rows |",
                "| `sample_submission.csv.zip` | one member `sample_submission.csv`, all"
                " values 0.5 | 459 rows |",
            ),
            "| `sample_submission.csv.zip`, `sample_submission.csv` | every test image with"
            " 0.5, packed and loose | 459 rows |",
        ),
    },
)
