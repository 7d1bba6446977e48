"""The hold-out for training: sentences are drawn by the hash of their numbers."""

from mlebench.competitions.text_normalization_challenge_english_language.revision import (
    prepare_revised,
)
from mlebench.recipes import with_public_sample
from mlebench.recipes.holdouts import HoldOut, split_hold_out


def hold_out_of(language: str) -> HoldOut:
    prepare = prepare_revised(language, split=split_hold_out)
    return HoldOut(tables={}, prepare=with_public_sample(prepare))


hold_out = hold_out_of("en")
