"""The hold-out for training: a fifth of the comments of a table in an archive."""

from functools import partial

from mlebench.competitions.jigsaw_toxic_comment_classification_challenge.revision import prepare
from mlebench.recipes.holdouts import MAX_SHARE, HoldOut

hold_out = HoldOut(
    archives={"train.csv.zip": {"train.csv": "train.csv"}},
    prepare=partial(prepare, test_size=MAX_SHARE),
)
