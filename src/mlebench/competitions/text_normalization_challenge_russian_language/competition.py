"""Text Normalization Challenge - Russian Language: how a written token is spoken."""

from dataclasses import replace

from mlebench.competitions.text_normalization_challenge_english_language.competition import (
    competition as english,
)
from mlebench.competitions.text_normalization_challenge_english_language.prepare import (
    prepare_language,
)
from mlebench.definition import Fault

competition = replace(
    english,
    id="text-normalization-challenge-russian-language",
    title="Text Normalization Challenge - Russian Language",
    prepare=prepare_language("ru"),
    official_sample_score=0.87501,
    faults=(
        *english.faults,
        Fault("sentences that occur twice in the corpus may be in both parts"),
    ),
)
