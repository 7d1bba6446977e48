"""Revision v1.1: the lost words do not follow from a seed, and a loose sample submission."""

from functools import partial

from mlebench.archives.raw import Raw
from mlebench.competitions.billion_word_imputation.competition import (
    LostWord,
    lose_by_seed,
    prepare,
)
from mlebench.recipes import with_public_sample
from mlebench.recipes.hashes import hash_of, hash_of_file
from mlebench.revision import CROWDED_BOARD, EXTERNAL_COPY, Changes, Fix


def lose_by_hash(archive: Raw) -> LostWord:
    """The sentences of v1, each without a word that is drawn by hash.

    The hash of the whole archive, which an agent does not have, is part of it. Else the hash of a
    sentence would tell whether a guess of its lost word can be right.
    """
    lost_in_v1, salt = lose_by_seed(archive), hash_of_file(archive)

    def lost_word(line: str) -> int | None:
        if lost_in_v1(line) is None:
            return None
        return draw_word(salt + line.strip().encode(), len(line.split()))

    return lost_word


def draw_word(key: bytes, count: int) -> int:
    """One of so many words, except the first and the last."""
    return 1 + int.from_bytes(hash_of("word", key)[:8], "big") % (count - 2)


changes = Changes(
    fixes=(
        Fix(
            "one generator with a public seed draws the sentences and the lost words, so that"
            " anyone who repeats the draws knows where a word is missing; a blank there lowers the"
            " score by 1, from 5.56 to gold (5.37)",
            "the lost word is drawn by a hash of the sentence and of the raw archive",
        ),
        Fix(
            "the sample submission is in the private folder only",
            "sample_submission.csv is public",
            "#47",
        ),
    ),
    comparability="new",
    flags=(
        CROWDED_BOARD,
        "crowded board: 36 % of the teams handed in the test file as it is, which is the median",
        "harder than the board: the unchanged file scores 5.56118 here and 5.55211 there, which is"
        " 450 times the distance from bronze to the median",
        EXTERNAL_COPY,
    ),
    prepare=with_public_sample(partial(prepare, lose=lose_by_hash)),
    sample_submission="public/sample_submission.csv",
    passages={
        "a CSV with about 300,000 sentences that lack a word |": (
            "a CSV with about 300,000 sentences that lack a word |\n"
            "| `sample_submission.csv` | a submission that leaves all test sentences as they"
            " are |"
        ),
        "a CSV of about 300,000 sentences with a word missing |": (
            "a CSV of about 300,000 sentences with a word missing |\n"
            "| `sample_submission.csv` | a submission that leaves all test sentences as they"
            " are |"
        ),
        "The test file is itself a valid submission, and the only template there is.": (
            "The test file is itself a valid submission."
        ),
        "There is no separate sample submission: the test file has the right form and may be"
        " handed in as is.": "The test file has the right form, too, and may be handed in as is.",
    },
)
