"""The hold-out for training: sentences are drawn by the hash of their numbers."""

from mlebench.competitions.text_normalization_challenge_english_language.prepare import (
    prepare_language,
)
from mlebench.recipes.holdouts import HoldOut, split_hold_out
from mlebench.recipes.steps import with_public_sample

hold_out = HoldOut(
    tables={},
    prepare=with_public_sample(
        prepare_language("en", drops_repeats=True, has_gaps=False, split=split_hold_out)
    ),
)
