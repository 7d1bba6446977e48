"""Revision v1.1: the changes of the English competition."""

from dataclasses import replace

from mlebench.competitions.text_normalization_challenge_english_language.revision import (
    changes as english,
)
from mlebench.competitions.text_normalization_challenge_english_language.revision import (
    prepare_revised,
)
from mlebench.recipes import with_public_sample

changes = replace(
    english,
    flags=tuple(flag for flag in english.flags if "public baseline" not in flag),
    prepare=with_public_sample(prepare_revised("ru")),
)
