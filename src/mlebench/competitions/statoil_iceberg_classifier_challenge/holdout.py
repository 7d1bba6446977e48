"""The hold-out for training: objects are deeper in their archives, and are drawn by hash."""

from functools import partial
from operator import itemgetter

from mlebench.competitions.statoil_iceberg_classifier_challenge.prepare import prepare
from mlebench.recipes.holdouts import HoldOut, split_hold_out
from mlebench.recipes.steps import with_public_sample

hold_out = HoldOut(
    archives={
        f"{part}.json.7z": {f"data/processed/{part}.json": f"{part}.json.7z"}
        for part in ("train", "test")
    },
    prepare=with_public_sample(
        partial(prepare, sorted_by_id=True, split=partial(split_hold_out, key=itemgetter("id")))
    ),
)
