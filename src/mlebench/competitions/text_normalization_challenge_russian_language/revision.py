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
    passages={
        "The public folder holds three zip files with one CSV each": (
            "The public folder holds `sample_submission.csv`, not packed, and three zip files"
            " with one CSV each"
        ),
        "Three zip files with one CSV each,": (
            "`sample_submission.csv`, not packed, and three zip files with one CSV each,"
        ),
        "| about 1.06 million": "| up to 1.06 million",
        **dict.fromkeys(
            (
                "Cells whose text a CSV reader takes for a missing value … are empty in all files.",
                "A token that reads as a missing value … is an empty cell in every file.",
            ),
            "Test sentences that occur in train, or earlier in the test, are left out. Tokens"
            " such as `NA`, `null` and `None` are texts like any other.",
        ),
        "Texts are never refused": "Texts are never refused, not even an empty one",
        "Any text is accepted": "Any text is accepted, even an empty one",
        "Missing values on both sides are read alike, … (`007` becomes `7`).": "",
        "Empty cells and missing-value words are all the same value, … loses leading zeros.": "",
    },
)
