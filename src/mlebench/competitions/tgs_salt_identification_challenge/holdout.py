"""The hold-out for training: a fifth of the images; all but the depths is in an archive."""

from functools import partial

from mlebench.competitions.tgs_salt_identification_challenge.competition import prepare
from mlebench.recipes.holdouts import MAX_SHARE, HoldOut

hold_out = HoldOut(
    archives={
        "competition_data.zip": {
            "competition_data/train.csv": "train.csv",
            "competition_data/train": "train",
        }
    },
    prepare=partial(prepare, with_test_depths=True, test_size=MAX_SHARE),
)
