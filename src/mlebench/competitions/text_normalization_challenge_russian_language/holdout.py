"""The hold-out for training: as in the English competition."""

from mlebench.competitions.text_normalization_challenge_english_language.holdout import hold_out_of

hold_out = hold_out_of("ru")
